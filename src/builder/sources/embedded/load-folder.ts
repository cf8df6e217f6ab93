/**
 * Loads the documents of a folder into the empty table of a new database. If several lines name the same document, the
 * last line counts; if that line cannot be read, the document is left out.
 */
import type { DatabaseSync } from 'node:sqlite'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { formatFileName } from '../folder/folder-line.ts'
import type { DocumentKey, Source } from '../source.ts'
import type { TransferCount } from '../transfer-count.ts'

// The lines of the folder that name a document, in file order. `data` is null for a line that cannot be read.
const STAGED = `
CREATE TEMP TABLE staged (n INTEGER PRIMARY KEY, collection TEXT, id TEXT, update_time TEXT, data TEXT)`
const STAGE = 'INSERT INTO staged (collection, id, update_time, data) VALUES (?, ?, ?, ?)'

// Selects the last line of each document, sorted by key, because inserts in file order would each touch another page of
// a large table. The other columns are from the row with `max(n)`: https://sqlite.org/lang_select.html#bareagg
const LAST = `
SELECT collection, id, update_time, data, count(data) AS found, max(n) FROM staged GROUP BY collection, id`
const INSERT = `
INSERT INTO documents (collection, id, update_time, data)
SELECT collection, id, update_time, data FROM (${LAST}) WHERE data IS NOT NULL`
const REPEATED = `
SELECT collection, id, found, data IS NOT NULL AS kept FROM (${LAST}) WHERE found > (data IS NOT NULL)`

export async function loadFolder(
  folder: Source,
  database: DatabaseSync,
  tally: TransferCount,
): Promise<void> {
  database.exec(STAGED)
  const stage = database.prepare(STAGE)
  let staged = 0
  for await (const item of folder.readAll()) {
    if (item.kind === 'document') {
      const { collection, id, updateTime, data } = item.document
      stage.run(collection, id, updateTime, JSON.stringify(data))
      staged += 1
      tally.count()
    } else {
      tally.reject(item.problem)
      if (item.key !== null) stage.run(item.key.collection, item.key.id, null, null)
    }
  }
  const inserted = Number(database.prepare(INSERT).run().changes)
  if (inserted < staged) reportRepeated(database, tally)
  database.exec('DROP TABLE staged')
}

function reportRepeated(database: DatabaseSync, tally: TransferCount): void {
  for (const row of database.prepare(REPEATED).all()) {
    const key = parseKey(row)
    const [found, kept] = [Number(row['found']), Number(row['kept'])]
    for (let times = kept; times < found; times += 1) tally.discount()
    const reason = `occurs more than once in ${formatFileName(key.collection)}: only the last occurrence is used`
    for (let times = 1; times < found; times += 1) tally.reject({ ...key, field: '', reason, fatal: false })
  }
}

function parseKey({ collection, id }: Record<string, unknown>): DocumentKey {
  return { collection: COLLECTIONS.find((name) => name === collection) ?? 'cataloge', id: String(id) }
}
