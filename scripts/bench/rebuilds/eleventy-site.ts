/** Makes the same pages as Vitrina with Eleventy, which is installed on demand into its own folder. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from 'vite'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { installTool } from '../../measure/install-tool.ts'
import type { Competitor } from './astro-site.ts'
import type { BenchSite } from './bench-site.ts'

const TOOL = { name: '@11ty/eleventy', version: '3.1.7' } as const
const OWN = join(ROOT, 'scripts/bench/rebuilds/eleventy')

/**
 * Prepares Eleventy in the folder `own`. `site` must be built, because the frame of catalogue pages and all other files
 * are copied from it.
 */
export async function createEleventySite(
  own: string,
  database: string,
  site: BenchSite,
): Promise<Competitor> {
  mkdirSync(own, { recursive: true })
  await installTool({ ...TOOL, folder: own }, () => {})
  await bundle(own)
  writeFileSync(join(own, 'frame.html'), readAnyPage(site))
  copyOthers(site, join(own, 'static'))
  return {
    output: join(own, 'dist'),
    command: {
      args: [join(own, 'node_modules/@11ty/eleventy/cmd.cjs'), '--quiet'],
      folder: own,
      environment: { BENCH_DATABASE: database, BENCH_FRAME: join(own, 'frame.html'), NODE_ENV: 'production' },
      watchesMemory: true,
    },
  }
}

// Bundles the templates to plain JavaScript, so that the times do not include stripping types.
async function bundle(folder: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node24',
      rolldownOptions: {
        input: {
          'eleventy.config': join(OWN, 'config.ts'),
          'pages/catalogue.11ty': join(OWN, 'catalogue-template.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
  })
}

function readAnyPage({ output }: BenchSite): Buffer {
  const name = readdirSync(join(output, 'catalogo')).find((file) => file !== '404.html') ?? ''
  return readFileSync(join(output, 'catalogo', name))
}

function copyOthers({ output }: BenchSite, target: string): void {
  rmSync(target, { recursive: true, force: true })
  cpSync(output, target, {
    recursive: true,
    filter: (file) => !/^(\.vitrina|catalogo.(?!404\.html).+)$/.test(relative(output, file)),
  })
}
