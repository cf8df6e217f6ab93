/** Makes pages of the same text with Eleventy, which is installed on demand into its own folder. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { installTool } from '../../measure/install-tool.ts'
import type { Generator } from './generator.ts'

const TOOL = { name: '@11ty/eleventy', version: '3.1.7' } as const

/** Prepares Eleventy in the folder `own`. The frame of its pages is cut from `page`, any built catalogue page. */
export async function createEleventySite(own: string, database: string, page: string): Promise<Generator> {
  mkdirSync(own, { recursive: true })
  const installed = await installTool({ ...TOOL, folder: own }, () => {})
  await bundleTemplate(own)
  const frame = join(own, 'frame.html')
  writeFileSync(frame, page)
  writeFileSync(
    join(own, 'eleventy.config.js'),
    `export default (configuration) => {
  configuration.setUseGitIgnore(false)
  return { dir: { input: 'pages' }, templateFormats: ['11ty.js'] }
}\n`,
  )
  return {
    name: 'Eleventy',
    build: (output) => ({
      args: [join(installed, 'cmd.cjs'), '--quiet', `--output=${output}`],
      folder: own,
      environment: { BENCH_DATABASE: database, BENCH_FRAME: frame, NODE_ENV: 'production' },
    }),
  }
}

// Bundles the template to plain JavaScript, so that the times do not include stripping types.
async function bundleTemplate(folder: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: join(folder, 'pages'),
      target: 'node24',
      rolldownOptions: {
        input: { 'catalogue.11ty': join(ROOT, 'scripts/bench/others/eleventy-template.ts') },
        output: { entryFileNames: '[name].js', codeSplitting: false },
      },
    },
  })
}
