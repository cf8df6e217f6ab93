/** Writes figures and chart. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchReport } from './bench-report.ts'

/** Answers the files. */
export function saveReport(report: BenchReport, chart: string, folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true })
  const files = [
    { path: join(folder, 'bench.json'), text: `${JSON.stringify(report, null, 2)}\n` },
    { path: join(folder, 'bench.svg'), text: chart },
  ]
  for (const { path, text } of files) writeFileSync(path, text)
  return files.map(({ path }) => path)
}
