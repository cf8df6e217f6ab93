/** Divides the rows of a large embedded database into two halves. Another thread may read the far half. */
import { statSync } from 'node:fs'
import type { FarHalf, Source } from '../source.ts'
import { connect, prepare } from './embedded-file.ts'
import { isStoredText } from './embedded-rows.ts'
import type { RowRange } from './embedded-scan.ts'
import { scanModifiedRanges, scanRanges } from './embedded-scan.ts'
import type { DatabaseView } from './embedded-view.ts'

/**
 * Min size in bytes of a file that is read in two halves. Reading a smaller file takes less time than starting another
 * thread.
 */
export const LARGE_FILE = 2 ** 24

// Selects the first product id of the far half. The near half has all profiles and the products before this id.
// Counting all rows is fast, because SQLite counts them without reading each row.
const MIDDLE = `
SELECT id FROM documents WHERE collection = 'cataloge' ORDER BY id LIMIT 1 OFFSET max(0,
  (SELECT count(*) / 2 FROM documents) - (SELECT count(*) FROM documents WHERE collection = 'users'))`

interface DividedRows {
  readonly near: readonly RowRange[]
  readonly far: FarHalf
}

/**
 * Returns `null` if the view is not sound, if another connection may read another state, if the file is too small, or
 * if no valid id divides it.
 */
export function divideRows(path: string, view: DatabaseView, size: number): DividedRows | null {
  if (!view.isSound || !view.isShared) return null
  const first = findMiddle(path, view, size)
  if (!isStoredText(first)) return null
  const near: readonly RowRange[] = [
    { collection: 'users' },
    { collection: 'cataloge', bound: { operator: '<', id: first } },
  ]
  return { near, far: { path, first } }
}

// Returns `undefined` for a small or unreadable file, or one without products. Ignores the error, because the next read
// reports it.
function findMiddle(path: string, { database }: DatabaseView, size: number): unknown {
  try {
    return statSync(path).size < size ? undefined : database.prepare(MIDDLE).get()?.['id']
  } catch {
    return undefined
  }
}

interface OpenHalf extends Required<Pick<Source, 'readAll' | 'readModified'>> {
  close(): void
}

/**
 * Opens the far half. Use its documents only after the divided source's `confirm` has checked that both halves were
 * read from the same state.
 */
export function openFarHalf({ path, first }: FarHalf): OpenHalf {
  const database = prepare(connect(path, 'unlocked'), (opened) => opened.exec('BEGIN'))
  const ranges: readonly RowRange[] = [{ collection: 'cataloge', bound: { operator: '>=', id: first } }]
  return {
    readAll: () => scanRanges(database, ranges),
    readModified: (isUnchanged) => scanModifiedRanges(database, ranges, isUnchanged),
    close: () => database.close(),
  }
}
