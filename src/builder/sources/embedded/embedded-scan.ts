/** Reads all rows of a collection of an embedded database. The few that need their bytes are read after the others. */
import type { DatabaseSync } from 'node:sqlite'
import type { Collection } from '../../../domain/documents/document.ts'
import type { DocumentKey, SourceItem, UnchangedItem } from '../source.ts'
import type { Row } from './embedded-rows.ts'
import { isText, needsBytes, parseRow, parseRows, QUERIES } from './embedded-rows.ts'

/** In the order of their ids, but for those that need their bytes. */
export function* scanRows(database: DatabaseSync, collection: Collection): Generator<SourceItem> {
  let hasOdd = false
  for (const row of iterate(database, QUERIES.collection, collection)) {
    if (needsBytes(row)) hasOdd = true
    else yield parseRow(row)
  }
  if (hasOdd) yield* parseRows(iterateOdd(database, collection))
}

/** Max unchanged documents of one item, so that the progress is seen. */
const MOST_COUNTED = 1_000

/** Neither parses nor splits the rows with a text that `isUnchanged` recognizes. */
export function* scanModifiedRows(
  database: DatabaseSync,
  collection: Collection,
  isUnchanged: (key: DocumentKey, text: string) => boolean,
): Generator<SourceItem | UnchangedItem> {
  const whole = database.prepare(QUERIES.document)
  let count = 0
  let hasOdd = false
  for (const { id, text } of iterate(database, QUERIES.texts, collection)) {
    const isKnown = isText(id) && isText(text) && isUnchanged({ collection, id }, text)
    if (isKnown) count += 1
    if (isKnown && count < MOST_COUNTED) continue
    if (count > 0) yield { kind: 'unchanged', count }
    count = 0
    if (isKnown) continue
    const row = isText(id) ? whole.get(collection, id) : undefined
    if (row === undefined || needsBytes(row)) hasOdd = true
    else yield parseRow(row)
  }
  if (count > 0) yield { kind: 'unchanged', count }
  if (hasOdd) yield* parseRows(iterateOdd(database, collection))
}

function* iterateOdd(database: DatabaseSync, collection: Collection): Generator<Row> {
  for (const row of iterate(database, QUERIES.odd, collection)) if (needsBytes(row)) yield row
}

function iterate(database: DatabaseSync, sql: string, collection: Collection): Iterable<Row> {
  return database.prepare(sql).iterate(collection)
}
