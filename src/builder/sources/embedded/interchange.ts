/** Copies documents between a folder and an embedded database as a stream, so that only the disk limits their number. */
import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Problem } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import type { Json } from '../../../domain/documents/json.ts'
import { formatCanonicalJson } from '../../../domain/documents/json.ts'
import { formatFileName, formatLine, openFolder } from '../folder/folder.ts'
import type { Source } from '../source.ts'
import { SourceError } from '../source.ts'
import { createEmbedded, RefusedError, writeNewFile } from './embedded-create.ts'
import { changeDatabase } from './embedded-file.ts'
import { DOCUMENTS } from './embedded-schema.ts'
import { openEmbedded } from './embedded.ts'

/** `progress` gets the number of items so far; `report` gets the problem of each line or row that was left out. */
export interface TransferOptions {
  readonly progress?: (count: number) => void
  readonly report?: (problem: Problem) => void
}

/**
 * Says what happens to an existing file. `create` refuses it; the others refuse a missing file. `merge` inserts missing documents and updates those that
 * differ. `replace` also removes documents that the folder does not have.
 */
export type ImportMode = 'create' | 'merge' | 'replace'

/** Numbers of documents. */
export interface ImportSummary {
  /** Those that the folder holds. */
  readonly documents: number
  readonly inserted: number
  readonly updated: number
  readonly removed: number
}

/** Items between two calls of `progress`. */
const STEP = 1_000

const INCOMING = DOCUMENTS.replace('CREATE TABLE documents', 'CREATE TEMP TABLE incoming')
const TAKE = `INSERT INTO incoming (collection, id, update_time, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`
const DROP = 'DELETE FROM incoming WHERE collection = ? AND id = ?'

// An owner that occurs twice in the JSON of one of them makes a difference that only `seller` shows.
const SAME = `(incoming.seller IS present.seller
  AND (incoming.data = present.data OR same_json(incoming.data, present.data)))`
// A line without a time leaves that of an equal document, and gives a changed one the present time.
const MERGE = `INSERT OR REPLACE INTO documents (collection, id, update_time, data)
SELECT incoming.collection, incoming.id, coalesce(incoming.update_time, CASE
    WHEN present.id IS NOT NULL THEN strftime('%Y-%m-%dT%H:%M:%fZ', 'now') END), incoming.data
FROM incoming LEFT JOIN documents AS present USING (collection, id)
WHERE present.id IS NULL OR NOT ${SAME}
  OR coalesce(incoming.update_time, present.update_time) IS NOT present.update_time`
const REMOVE = 'DELETE FROM documents WHERE (collection, id) NOT IN (SELECT collection, id FROM incoming)'

/** Imports the documents of a folder. If it rejects, the documents of `file` are unchanged. */
export async function importFolder(
  folder: string,
  file: string,
  { mode = 'create', ...options }: TransferOptions & { readonly mode?: ImportMode } = {},
): Promise<ImportSummary> {
  const source = openFolder(folder)
  let summary: ImportSummary = { documents: 0, inserted: 0, updated: 0, removed: 0 }
  if (!existsSync(file)) {
    if (mode !== 'create')
      throw new RefusedError(`${file} does not exist: correct the name, or leave out --${mode} to make it`)
    await createEmbedded(file, async (database) => {
      await stage(source, database, options)
      summary = merge(database, mode)
    })
    return summary
  }
  if (mode === 'create')
    throw new RefusedError(
      `${file} exists already: name another file, or say with --merge or --replace what to do with this one`,
    )
  return changeDatabase(file, async (database) => {
    await stage(source, database, options)
    summary = merge(database, mode)
    if (summary.documents > 0) return summary
    throw new SourceError(`${source.label} holds no document that can be read: nothing was changed`)
  })
}

// If several lines name a document, the last one counts; if that one cannot be read, the document is left out.
async function stage(source: Source, database: DatabaseSync, options: TransferOptions): Promise<void> {
  database.exec(INCOMING)
  const take = database.prepare(TAKE)
  const drop = database.prepare(DROP)
  let count = 0
  for await (const item of (await source.readAll()).items) {
    if ((count += 1) % STEP === 0) options.progress?.(count)
    if (item.kind === 'unreadable') {
      options.report?.(item.problem)
      if (item.key !== null) drop.run(item.key.collection, item.key.id)
      continue
    }
    const { collection, id, updateTime, data } = item.document
    const values = [collection, id, updateTime, JSON.stringify(data)]
    if (take.run(...values).changes === 1) continue
    drop.run(collection, id)
    take.run(...values)
    const reason = `occurs more than once in ${formatFileName(collection)}: only the last occurrence is used`
    options.report?.({ collection, id, field: '', reason, fatal: false })
  }
}

function merge(database: DatabaseSync, mode: ImportMode): ImportSummary {
  database.function('same_json', { deterministic: true }, isSameJson)
  const count = (table: string): number =>
    Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'])
  const before = count('documents')
  const written = Number(database.prepare(MERGE).run().changes)
  const inserted = count('documents') - before
  const removed = mode === 'replace' ? Number(database.prepare(REMOVE).run().changes) : 0
  return { documents: count('incoming'), inserted, updated: written - inserted, removed }
}

function isSameJson(a: SQLOutputValue, b: SQLOutputValue): number {
  const parse = (text: SQLOutputValue): Json => JSON.parse(String(text))
  return formatCanonicalJson(parse(a)) === formatCanonicalJson(parse(b)) ? 1 : 0
}

/** Returns the number of documents. Both files are complete before either is renamed. */
export async function exportDatabase(
  file: string,
  folder: string,
  options: TransferOptions = {},
): Promise<number> {
  const source = openEmbedded(file)
  let count = 0
  const [users = '', cataloge = ''] = COLLECTIONS.map((name) => join(folder, formatFileName(name)))
  try {
    await writeNewFile(users, (newUsers) =>
      writeNewFile(cataloge, async (newCataloge) => {
        const files = { users: openSync(newUsers, 'wx'), cataloge: openSync(newCataloge, 'wx') }
        for (const item of source.readAll().items) {
          if (item.kind === 'unreadable') options.report?.(item.problem)
          else writeSync(files[item.document.collection], formatLine(item.document))
          if (item.kind === 'document' && (count += 1) % STEP === 0) options.progress?.(count)
        }
        Object.values(files).forEach(closeSync)
      }),
    )
    return count
  } finally {
    source.close()
  }
}
