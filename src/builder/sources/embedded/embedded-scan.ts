/**
 * Reads rows of an embedded database. Rows for which `needsBytes` is true are read at the end of their range, with
 * their bytes.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Collection } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import type { SourceItem, UnchangedCheck, UnchangedItem } from '../source.ts'
import type { Row } from './embedded-rows.ts'
import { isStoredText, needsBytes, parseRow, parseRows, QUERIES } from './embedded-rows.ts'

/** All rows of a collection, or those on one side of an id. */
export interface RowRange {
  readonly collection: Collection
  readonly bound?: { readonly operator: '<' | '>='; readonly id: string }
}

export const ALL: readonly RowRange[] = COLLECTIONS.map((collection) => ({ collection }))

/**
 * Reads the ranges one after another, and the rows of each in the order of their ids. Rows that need their bytes come
 * at the end of their range.
 */
export function* scanRanges(database: DatabaseSync, ranges: readonly RowRange[]): Generator<SourceItem> {
  for (const range of ranges) yield* scanRows(database, range)
}

/** Like `scanRanges`, but counts rows whose text `isUnchanged` recognizes, and does not parse them. */
export function* scanModifiedRanges(
  database: DatabaseSync,
  ranges: readonly RowRange[],
  isUnchanged: UnchangedCheck,
): Generator<SourceItem | UnchangedItem> {
  for (const range of ranges) yield* scanModifiedRows(database, range, isUnchanged)
}

function* scanRows(database: DatabaseSync, range: RowRange): Generator<SourceItem> {
  let hasOdd = false
  for (const values of iterateValues(database, QUERIES.collection, range)) {
    const [collection = null, id = null, time = null, data = null, seller = null] = values
    const row: Row = { collection, id, update_time: time, data, seller }
    if (needsBytes(row)) hasOdd = true
    else yield parseRow(row)
  }
  if (hasOdd) yield* parseRows(iterateOdd(database, range))
}

/** Max unchanged documents that one item counts. The progress is updated after each such item. */
const MOST_COUNTED = 1_000

function* scanModifiedRows(
  database: DatabaseSync,
  range: RowRange,
  isUnchanged: UnchangedCheck,
): Generator<SourceItem | UnchangedItem> {
  const { collection } = range
  const whole = database.prepare(QUERIES.document)
  let count = 0
  let hasOdd = false
  for (const [id, text] of iterateValues(database, QUERIES.texts, range)) {
    const isKnown = isStoredText(id) && isStoredText(text) && isUnchanged({ collection, id }, text)
    if (isKnown) count += 1
    if (isKnown && count < MOST_COUNTED) continue
    if (count > 0) yield { kind: 'unchanged', count }
    count = 0
    if (isKnown) continue
    const row = isStoredText(id) ? whole.get(collection, id) : undefined
    if (row === undefined || needsBytes(row)) hasOdd = true
    else yield parseRow(row)
  }
  if (count > 0) yield { kind: 'unchanged', count }
  if (hasOdd) yield* parseRows(iterateOdd(database, range))
}

function* iterateOdd(database: DatabaseSync, range: RowRange): Generator<Row> {
  for (const row of iterate(database, QUERIES.odd, range)) if (needsBytes(row)) yield row
}

function iterate(database: DatabaseSync, sql: string, range: RowRange): Iterable<Row> {
  const { statement, parameters } = select(database, sql, range)
  return statement.iterate(...parameters)
}

// Returns rows as arrays: with objects, a first read takes 4 % longer.
function iterateValues(
  database: DatabaseSync,
  sql: string,
  range: RowRange,
): Iterable<readonly SQLOutputValue[]> {
  const { statement, parameters } = select(database, sql, range)
  statement.setReturnArrays(true)
  return statement.iterate(...parameters) as Iterable<unknown> as Iterable<readonly SQLOutputValue[]>
}

interface Selection {
  readonly statement: StatementSync
  readonly parameters: readonly string[]
}

function select(database: DatabaseSync, sql: string, { collection, bound }: RowRange): Selection {
  if (bound === undefined)
    return { statement: database.prepare(`${sql} ORDER BY id`), parameters: [collection] }
  const statement = database.prepare(`${sql} AND id ${bound.operator} ? ORDER BY id`)
  return { statement, parameters: [collection, bound.id] }
}
