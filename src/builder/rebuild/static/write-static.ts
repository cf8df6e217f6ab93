/** Writes the static files. Hashed files that are no longer part of the site are retained for some generations. */
import type { WrittenState } from '../write-pages.ts'
import { removeRows, writeFile } from '../write-pages.ts'
import { hashBytes } from '../../state/manifest.ts'
import type { FileRow } from '../../state/record/record.ts'
import type { StaticFile } from './static-files.ts'
import { HASHED } from './static-files.ts'

/** Min number of generations, and of publishes, for which old hashed files are retained: see `findExpired`. */
const RETAINED_FOR = 3

/** Protocol state `written`. Must run before the pages are written, because they refer to these files. */
export function writeStaticFiles(
  files: readonly StaticFile[],
  { record, output, generation }: WrittenState,
): void {
  const differing = files.filter(({ path, digest }) => record.findDigest(path) !== digest)
  record.markUnsure(differing.map((file) => createRow(file, generation)))
  const rows = differing.map(({ path, read }) => {
    const bytes = read()
    const row = createRow({ path, digest: hashBytes(bytes) }, generation)
    writeFile(output, row, bytes)
    return row
  })
  record.write(rows, [])
}

/**
 * Protocol state `removed`. Handles the static files that are not in `files`: retains the hashed ones, except unsure
 * ones, and removes the others. Also removes retained files that have expired.
 */
export function dropStaticFiles(files: readonly StaticFile[], site: WrittenState): void {
  const wanted = new Set(files.map(({ path }) => path))
  const left = site.record.readOthers('static').filter(({ path }) => !wanted.has(path))
  const retained = left.filter((row) => isWorthKeeping(row, site))
  const dropped = left.filter((row) => !retained.includes(row))
  removeRows([...dropped, ...findExpired(site)], site)
  const publishes = String(site.record.readPublishes())
  site.record.write(
    retained.map((row): FileRow => ({
      ...row,
      kind: 'retained',
      generation: site.generation,
      data: publishes,
    })),
    [],
  )
}

// Returns false for an unsure file: it may be damaged, or unused by the pages, because the run that wrote it was
// interrupted.
function isWorthKeeping({ path }: FileRow, { record }: WrittenState): boolean {
  return path.startsWith(HASHED) && record.findDigest(path) !== null
}

// Generations alone do not count: code may change many times between two publishes, and open pages of the live version
// still load its files. A page that keeps failing stays in its old generation and still refers to that generation's
// files, so these files do not expire.
function findExpired({ record, generation }: WrittenState): readonly FileRow[] {
  const publishes = record.readPublishes()
  const due = record
    .readOthers('retained')
    .filter((row) => row.generation + RETAINED_FOR <= generation)
    .filter((row) => Number(row.data) + RETAINED_FOR <= publishes)
  if (due.length === 0) return []
  const oldest = record.readOldestGeneration() ?? generation
  return due.filter((row) => row.generation <= oldest)
}

function createRow({ path, digest }: Pick<StaticFile, 'path' | 'digest'>, generation: number): FileRow {
  return { path, kind: 'static', seller: null, generation, data: '', digest }
}
