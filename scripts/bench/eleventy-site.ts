/** The same pages by Eleventy, in a folder of its own where npm installs it. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import type { Competitor } from './astro-site.ts'
import type { BenchSite } from './bench-site.ts'

const VERSION = '3.1.7'
const OWN = join(ROOT, 'scripts/bench/eleventy')

/** `site` is built: its frame and its other files are taken over. */
export async function createEleventySite(
  folder: string,
  database: string,
  site: BenchSite,
): Promise<Competitor> {
  const own = join(folder, 'eleventy')
  mkdirSync(own, { recursive: true })
  await install(own)
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

async function install(folder: string): Promise<void> {
  const manifest = JSON.stringify({
    private: true,
    type: 'module',
    dependencies: { '@11ty/eleventy': VERSION },
  })
  const file = join(folder, 'package.json')
  const isThere = existsSync(join(folder, 'node_modules/@11ty/eleventy/cmd.cjs'))
  if (isThere && existsSync(file) && readFileSync(file, 'utf8') === manifest) return
  writeFileSync(file, manifest)
  const options = { cwd: folder, shell: process.platform === 'win32' }
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], options)
}

// Plain JavaScript, so that Eleventy need not take the types off.
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
          'pages/catalogue.11ty': join(OWN, 'catalogue.ts'),
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
