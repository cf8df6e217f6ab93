/** Runs Lighthouse on each page, as often as asked, each time in a fresh browser; keeps the report of the median. */
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runMeasured } from '../../measure/run-measured.ts'
import { ensureChromium, FLAGS } from '../chromium.ts'
import type { PageScores, RunScores } from './scores.ts'
import { readScores, takeMedians } from './scores.ts'
import type { MeasuredPage } from './write-sellers.ts'

export interface MeasureOptions {
  /** Lighthouse's program. */
  readonly tool: string
  /** Where reports are kept. */
  readonly reports: string
  readonly runs: number
  readonly progress: (text: string) => void
}

interface Tools {
  readonly tool: string
  readonly chromium: string
}

interface Run {
  readonly scores: RunScores
  /** Without `.report.json` and `.report.html`. */
  readonly file: string
}

const KINDS = ['json', 'html'] as const
const BROWSER_FLAGS = ['--headless=new', ...FLAGS].join(' ')

export async function measurePages(
  origin: string,
  pages: readonly MeasuredPage[],
  options: MeasureOptions,
): Promise<readonly PageScores[]> {
  const { tool, reports, runs, progress } = options
  const tools = { tool, chromium: ensureChromium() }
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const measured: PageScores[] = []
  for (const page of pages) {
    const done: Run[] = []
    for (let run = 1; run <= runs; run += 1) {
      progress(`Measuring ${page.name}: ${run} of ${runs}`)
      done.push(await measureOnce(origin + page.path, join(reports, `${formatName(page)}-${run}`), tools))
    }
    keepMedian(done, join(reports, formatName(page)))
    measured.push({ name: page.name, ...takeMedians(done.map(({ scores }) => scores)) })
  }
  return measured
}

async function measureOnce(url: string, file: string, { tool, chromium }: Tools): Promise<Run> {
  await runMeasured({
    args: [
      tool,
      url,
      '--quiet',
      ...KINDS.map((kind) => `--output=${kind}`),
      `--output-path=${file}`,
      `--chrome-flags=${BROWSER_FLAGS}`,
    ],
    folder: join(file, '..'),
    environment: { CHROME_PATH: chromium },
  })
  return { scores: readScores(readFileSync(`${file}.report.json`, 'utf8')), file }
}

/** By performance, then by the largest paint. */
function keepMedian(runs: readonly Run[], file: string): void {
  const sorted = runs.toSorted(
    (a, b) => a.scores.performance - b.scores.performance || b.scores.largestPaint - a.scores.largestPaint,
  )
  for (const [index, run] of sorted.entries()) {
    const isMedian = index === Math.floor(runs.length / 2)
    for (const kind of KINDS) {
      const report = `${run.file}.report.${kind}`
      if (isMedian) renameSync(report, `${file}.${kind}`)
      else rmSync(report)
    }
  }
}

function formatName({ name }: MeasuredPage): string {
  return name.replace(' ', '-')
}
