/** Measures each page several times, repeats failed runs, and keeps the report of the median run. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lighthouse, LighthouseResult } from './open-lighthouse.ts'
import type { PageScores } from './scores.ts'
import { readScores } from './scores.ts'
import type { MeasuredPage } from './measured-pages.ts'
import { readMessage } from '../../../src/domain/documents/errors.ts'

interface MeasureOptions {
  /** Folder for the reports. */
  readonly reports: string
  /** Wanted number of successful runs per page. */
  readonly runs: number
  readonly progress: (text: string) => void
}

interface UnmeasuredPage {
  readonly name: string
  readonly reason: string
}

export interface Measurements {
  readonly pages: readonly PageScores[]
  /** Pages without a single valid run. */
  readonly failures: readonly UnmeasuredPage[]
}

/**
 * Max failed runs of one page that are repeated. After one more failure, the median is taken from the successful runs,
 * if there are any.
 */
const MAX_REPEATS = 3

/** Measures all pages. A page that cannot be measured does not stop the others. */
export async function measurePages(
  lighthouse: Lighthouse,
  { origin, pages }: { readonly origin: string; readonly pages: readonly MeasuredPage[] },
  { reports, runs, progress }: MeasureOptions,
): Promise<Measurements> {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const measured: PageScores[] = []
  const failures: UnmeasuredPage[] = []
  for (const { name, path } of pages) {
    const { valid, reason } = await measureRuns(lighthouse, origin + path, {
      runs,
      progress: (run) => progress(`Measuring ${name}: ${run} of ${runs}`),
    })
    if (valid.length === 0) failures.push({ name, reason })
    else {
      const median = lighthouse.findMedianRun(valid)
      writeReports(join(reports, name.replace(' ', '-')), median, lighthouse.formatHtml(median))
      measured.push({ name, runs: valid.length, ...readScores(median) })
    }
  }
  return { pages: measured, failures }
}

interface MeasuredRuns {
  readonly valid: readonly LighthouseResult[]
  /** Why the last failed run failed; empty if no run failed. */
  readonly reason: string
}

async function measureRuns(
  lighthouse: Lighthouse,
  url: string,
  { runs, progress }: { readonly runs: number; readonly progress: (run: number) => void },
): Promise<MeasuredRuns> {
  const valid: LighthouseResult[] = []
  let reason = ''
  let failed = 0
  while (valid.length < runs && failed <= MAX_REPEATS) {
    progress(valid.length + 1)
    const result = await measureOnce(lighthouse, url)
    if (typeof result === 'string') {
      reason = result
      failed += 1
    } else valid.push(result)
  }
  return { valid, reason }
}

/** Returns the result of one run, or the reason why it failed. */
async function measureOnce(lighthouse: Lighthouse, url: string): Promise<LighthouseResult | string> {
  try {
    const result = await lighthouse.measure(url)
    if (result.runtimeError !== undefined) return result.runtimeError.message
    return (
      lighthouse.filterValid([result])[0] ?? 'Lighthouse measured no first paint or no time to interactive'
    )
  } catch (error) {
    return readMessage(error)
  }
}

function writeReports(file: string, result: LighthouseResult, html: string): void {
  writeFileSync(`${file}.json`, JSON.stringify(result, null, 2))
  writeFileSync(`${file}.html`, html)
}
