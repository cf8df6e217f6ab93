/** Holds the output folder against the record, file by file: for a folder that cannot be relied on, or on demand. */
import { dirname } from 'node:path/posix'
import { hashBytes } from '../state/manifest.ts'
import { IDENTITY_FILE } from '../state/output/output-identity.ts'
import type { Output } from '../state/output/output.ts'
import type { FileRow, SiteRecord } from '../state/record/record.ts'

export interface CheckResult {
  /** Recorded, but missing or with other bytes. They are marked for writing again. */
  readonly damaged: readonly string[]
  /** Not recorded. They go when everything else is in place. */
  readonly unlisted: readonly string[]
  /** Not recorded either, but these stand where a folder belongs: a link leads out of the site. They go first. */
  readonly blocking: readonly string[]
}

export function findDifferences(output: Output, record: SiteRecord): CheckResult {
  const found = output.list()
  const all = new Set(found)
  const known = new Set([IDENTITY_FILE])
  const blocking = new Set<string>()
  const damaged: string[] = []
  for (const row of record.readFiles()) {
    known.add(row.path)
    const block = findBlock(row.path, all)
    if (block !== null) blocking.add(block)
    if (block !== null || !isIntact(output, row)) damaged.push(row.path)
  }
  const unlisted = found.filter((path) => !known.has(path) && !blocking.has(path))
  return { damaged, unlisted, blocking: [...blocking] }
}

function findBlock(path: string, found: ReadonlySet<string>): string | null {
  const folder = dirname(path)
  if (folder === '.') return null
  return found.has(folder) ? folder : findBlock(folder, found)
}

function isIntact(output: Output, { path, digest }: FileRow): boolean {
  const bytes = output.read(path)
  return bytes !== null && hashBytes(bytes) === digest
}
