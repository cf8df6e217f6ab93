/** Holds the output folder against the record, file by file: for a folder that cannot be relied on, or on demand. */
import { hashBytes } from './fingerprint.ts'
import { MARKER } from './marker.ts'
import type { Output } from './output.ts'
import type { FileRow, SiteRecord } from './record.ts'

export interface CheckResult {
  /** Recorded, but missing or with other bytes. They are marked for writing again. */
  readonly damaged: readonly string[]
  /** Not recorded. They are removed. */
  readonly unlisted: readonly string[]
}

export function findDifferences(output: Output, record: SiteRecord): CheckResult {
  const known = new Set([MARKER])
  const damaged: string[] = []
  for (const row of record.readFiles()) {
    known.add(row.path)
    if (!isIntact(output, row)) damaged.push(row.path)
  }
  return { damaged, unlisted: output.list().filter((path) => !known.has(path)) }
}

function isIntact(output: Output, { path, digest }: FileRow): boolean {
  const bytes = output.read(path)
  return bytes !== null && hashBytes(bytes) === digest
}
