/** Opens Lighthouse, which is installed on demand. No other file depends on its modules. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Tool } from '../../measure/install-tool.ts'
import { installTool } from '../../measure/install-tool.ts'
import { ensureChromium, FLAGS } from '../chromium.ts'

/** The parts of a Lighthouse result that are read here. Source: `LH.Result` in Lighthouse's types. */
export interface LighthouseResult {
  /** Present only if the run failed. */
  readonly runtimeError?: { readonly code: string; readonly message: string }
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
}

export interface Lighthouse {
  /** Measures a page in a fresh browser. May throw, or return a result with a `runtimeError`. */
  measure(url: string): Promise<LighthouseResult>
  /** Returns the results that have every value from which the median is computed. */
  filterValid(results: readonly LighthouseResult[]): readonly LighthouseResult[]
  /** Returns the run that is closest to the median. All `results` must be valid. */
  findMedianRun(results: readonly LighthouseResult[]): LighthouseResult
  formatHtml(result: LighthouseResult): string
}

interface Core {
  default(
    url: string,
    flags: { readonly port: number; readonly logLevel: string },
  ): Promise<{ readonly lhr: LighthouseResult } | undefined>
  generateReport(result: LighthouseResult, format: 'html'): string
}

interface MedianRun {
  computeMedianRun(runs: readonly LighthouseResult[]): LighthouseResult
  filterToValidRuns(runs: readonly LighthouseResult[]): readonly LighthouseResult[]
}

interface Launcher {
  launch(options: {
    readonly chromePath: string
    readonly chromeFlags: readonly string[]
  }): Promise<{ readonly port: number; kill(): void }>
}

export async function openLighthouse(tool: Tool, progress: (text: string) => void): Promise<Lighthouse> {
  const folder = await installTool(tool, progress)
  const load = (file: string) => import(pathToFileURL(join(folder, file)).href)
  const { default: run, generateReport }: Core = await load('core/index.js')
  const { computeMedianRun, filterToValidRuns }: MedianRun = await load('core/lib/median-run.js')
  const { launch }: Launcher = await load('../chrome-launcher/dist/index.js')
  const options = { chromePath: await ensureChromium(), chromeFlags: ['--headless=new', ...FLAGS] }
  return {
    measure: async (url) => {
      const browser = await launch(options)
      try {
        const result = await run(url, { port: browser.port, logLevel: 'silent' })
        if (result === undefined) throw new Error('Lighthouse returned no result')
        return result.lhr
      } finally {
        browser.kill()
      }
    },
    filterValid: filterToValidRuns,
    findMedianRun: computeMedianRun,
    formatHtml: (result) => generateReport(result, 'html'),
  }
}
