/** The embedded database as a source: one SQLite file that any tool may edit, with a change log kept by triggers. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { readChangesAfter, readLastCursor } from './embedded-changes.ts'
import { explainSqlite } from './embedded-errors.ts'
import { parseRows, QUERIES } from './embedded-rows.ts'
import { divideRows, LARGE_FILE } from './embedded-halves.ts'
import type { RowRange } from './embedded-scan.ts'
import { ALL, scanModifiedRanges, scanRanges } from './embedded-scan.ts'
import { openView } from './embedded-view.ts'
import { chooseDocuments, chooseSellers, dropRepeated } from '../choose-items.ts'
import type { Halves, ReadySource, SourceChanges, SourceItem } from '../source.ts'
import { ReadAgainError } from '../source.ts'

interface EmbeddedOptions {
  /** If true, the file is not repaired, even if its change log needs a repair. */
  readonly isDry?: boolean
  /** Min size in bytes of a file that can be read in two halves. */
  readonly largeFrom?: number
}

const UNCHECKED: SourceChanges = {
  kind: 'whole',
  reason:
    'another program changed the tables or triggers of the database, and they were not repaired: the table has rows that are not documents, the file cannot be written, or this is a dry run',
}

/**
 * Throws a `SourceError` if the file is missing or is not an embedded database. Other programs may write to it while it
 * is open.
 */
export function openEmbedded(
  path: string,
  { isDry = false, largeFrom = LARGE_FILE }: EmbeddedOptions = {},
): ReadySource {
  let view = openView(path, isDry)
  let deadline: number | undefined

  const confirm = (): void => {
    try {
      view.confirm()
    } catch (error) {
      if (!(error instanceof ReadAgainError)) throw explainSqlite(path, error)
      view.database.close()
      view = openView(path, isDry, (deadline ??= performance.now() + PATIENCE))
      throw error
    }
  }
  const fail = (error: unknown): never => {
    // A write by another program can look like damage. In that case, `confirm` throws a `ReadAgainError`.
    confirm()
    throw explainSqlite(path, error)
  }
  function* readRows<T>(select: (database: DatabaseSync) => Iterable<T>): Generator<T> {
    try {
      yield* select(view.database)
    } catch (error) {
      fail(error)
    }
  }
  const read = (sql: string, ...parameters: readonly SQLInputValue[][]): Generator<SourceItem> =>
    readRows((database) => selectRows(database, sql, parameters))
  const readUnchecked = (): Generator<SourceItem> => read(QUERIES.unchecked, [])
  const createReads = (ranges: readonly RowRange[]): Halves['near'] => ({
    readAll: () => readRows((database) => scanRanges(database, ranges)),
    readModified: (isUnchanged) => readRows((database) => scanModifiedRanges(database, ranges, isUnchanged)),
  })
  return {
    label: `the database ${path}`,
    readAll: () => (view.isSound ? createReads(ALL).readAll() : readUnchecked()),
    readModified: (isUnchanged) =>
      view.isSound ? createReads(ALL).readModified(isUnchanged) : readUnchecked(),
    divide: () => {
      const rows = divideRows(path, view, largeFrom)
      return rows && { near: createReads(rows.near), far: rows.far }
    },
    readSellers: (sellers) =>
      view.isSound
        ? read(QUERIES.seller, ...[...new Set(sellers)].map((seller) => [seller]))
        : chooseSellers(readUnchecked(), sellers),
    readDocuments: (keys) => {
      if (!view.isSound) return chooseDocuments(readUnchecked(), keys)
      return read(QUERIES.document, ...dropRepeated(keys).map(({ collection, id }) => [collection, id]))
    },
    readChanges: (cursor) => (view.isSound ? attempt(() => readChangesAfter(view, cursor), fail) : UNCHECKED),
    readCursor: () => (view.isSound ? attempt(() => readLastCursor(view), fail) : null),
    confirm,
    close: () => {
      if (view.database.isOpen) view.database.close()
    },
  }
}

function attempt<T>(work: () => T, fail: (error: unknown) => never): T {
  try {
    return work()
  } catch (error) {
    return fail(error)
  }
}

/** Milliseconds after the first `ReadAgainError` until a view takes a lock. */
const PATIENCE = 5_000

function* selectRows(
  database: DatabaseSync,
  sql: string,
  parameters: readonly SQLInputValue[][],
): Generator<SourceItem> {
  const statement = database.prepare(sql)
  for (const values of parameters) yield* parseRows(statement.iterate(...values))
}
