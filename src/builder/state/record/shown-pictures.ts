/** Records which picture files pages show, and retains pictures that no page shows any more. */
import type { DatabaseSync } from 'node:sqlite'
import { listTexts } from '../sqlite/values.ts'
import type { RecordFiles, ShownPictures } from './record.ts'
import { readPublishes } from './record-meta.ts'

/** Number of publishes for which an unshown picture is kept. */
const RETAINED_FOR = 3

type Row = Record<string, unknown>

const UNSURE = `
SELECT path FROM files INDEXED BY files_unsure WHERE unsure = 1 AND kind = 'picture' ORDER BY path`
// Leaves out a picture that the table `shows` still lists for a page, because an interrupted run may already have put
// that page in place.
const EXPIRED = `
SELECT path FROM files INDEXED BY files_other
WHERE kind <> 'page' AND kind = 'unshown' AND (generation + ${RETAINED_FOR} <= ? OR unsure = 1 OR (SELECT count(*) FROM files) > ?)
  AND NOT EXISTS (SELECT 1 FROM shows WHERE file = path)
ORDER BY path`
const FIND_ORPHAN = `
SELECT * FROM files WHERE path = ? AND kind = 'picture' AND NOT EXISTS (SELECT 1 FROM shows WHERE file = path)`
const LEAVE = "UPDATE files SET kind = 'unshown', generation = ? WHERE path = ?"

type Reads = Pick<RecordFiles, 'readUnsurePictures' | 'readShown' | 'readShowing' | 'readExpired'>

export function createShows(database: DatabaseSync): Reads {
  const readPaths = (sql: string, ...values: (string | number)[]): readonly string[] =>
    listTexts(database.prepare(sql), ...values)
  return {
    readUnsurePictures: () => readPaths(UNSURE),
    readShown: (page) => readPaths('SELECT file FROM shows WHERE page = ? ORDER BY file', page),
    readShowing: (picture) => readPaths('SELECT page FROM shows WHERE file = ? ORDER BY page', picture),
    readExpired: (most) => readPaths(EXPIRED, readPublishes(database), most),
  }
}

/**
 * Adds the new pictures of each page before the page is written, because an interruption may leave either the old or
 * the new page in place.
 */
export function addShows(database: DatabaseSync, shows: ShownPictures): void {
  const add = database.prepare('INSERT OR IGNORE INTO shows VALUES (?, ?)')
  for (const [page, files] of shows) for (const file of files) add.run(page, file)
}

/**
 * Returns a function that replaces the recorded pictures of the given pages. The function must run in a transaction. It
 * marks pictures that no page shows any more as `unshown`, and returns their previous rows.
 */
export function createReplaceShows(
  database: DatabaseSync,
): (pages: readonly string[], shows: ShownPictures) => readonly Row[] {
  const read = database.prepare('SELECT page, file FROM shows WHERE page IN (SELECT value FROM json_each(?))')
  const remove = database.prepare('DELETE FROM shows WHERE page = ? AND file = ?')
  const findOrphan = database.prepare(FIND_ORPHAN)
  const leave = database.prepare(LEAVE)
  return (pages, shows) => {
    const left = new Set<string>()
    for (const row of read.all(JSON.stringify(pages))) {
      const [page, file] = [String(row['page']), String(row['file'])]
      if (shows.get(page)?.includes(file) === true) continue
      remove.run(page, file)
      left.add(file)
    }
    addShows(database, shows)
    const orphans = [...left]
      .map((file): Row | undefined => findOrphan.get(file))
      .filter((row) => row !== undefined)
    for (const row of orphans) leave.run(readPublishes(database), String(row['path']))
    return orphans
  }
}
