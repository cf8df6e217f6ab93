/** Brings the static files into the output folder; hashed files that are no longer made stay for a while. */
import type { SiteState } from './execute.ts'
import { writeFile } from './execute.ts'
import type { FileRow } from '../state/record/record.ts'
import type { StaticFile } from './static-files.ts'
import { HASHED } from './static-files.ts'

/** How many generations a hashed file outlives. Counted, never by clock. */
const RETAINED_FOR = 3

export function writeStaticFiles(
  files: readonly StaticFile[],
  { record, output, generation }: SiteState,
): void {
  const differing = files.filter(({ path, digest }) => record.findDigest(path) !== digest)
  const rows = differing.map((file) => createRow(file, generation))
  record.markUnsure(rows)
  differing.forEach((file, index) =>
    writeFile(output, rows[index] ?? createRow(file, generation), file.read()),
  )
  record.write(rows, [])
}

/** After the pages: nothing refers to these any more. */
export function dropStaticFiles(files: readonly StaticFile[], site: SiteState): void {
  const wanted = new Set(files.map(({ path }) => path))
  const left = site.record.readOthers('static').filter(({ path }) => !wanted.has(path))
  const retained = left.filter((row) => isWorthKeeping(row, site))
  const dropped = left.filter((row) => !retained.includes(row))
  removeFiles([...dropped, ...findExpired(site)], site)
  site.record.write(
    retained.map((row): FileRow => ({ ...row, kind: 'retained', generation: site.generation })),
    [],
  )
}

// Of what is unsure, no page that was published needs anything: it was damaged, or a run was cut off before its pages.
function isWorthKeeping({ path }: FileRow, { record }: SiteState): boolean {
  return path.startsWith(HASHED) && record.findDigest(path) !== null
}

// A page that keeps failing stands as it was rendered, and still refers to what was there then.
function findExpired({ record, generation }: SiteState): readonly FileRow[] {
  const due = record.readOthers('retained').filter((row) => row.generation + RETAINED_FOR <= generation)
  if (due.length === 0) return []
  const oldest = record.readOldestGeneration() ?? generation
  return due.filter((row) => row.generation <= oldest)
}

function removeFiles(rows: readonly FileRow[], { record, output }: SiteState): void {
  record.markUnsure(rows)
  for (const { path } of rows) output.remove(path)
  record.write(
    [],
    rows.map(({ path }) => path),
  )
}

function createRow({ path, digest }: StaticFile, generation: number): FileRow {
  return { path, kind: 'static', seller: null, generation, data: '', digest }
}
