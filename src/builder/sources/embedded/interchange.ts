/** Copies documents between a folder and an embedded database as a stream, so that only the disk limits their number. */
import { appendFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Collection, Problem, SourceDocument } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import type { Json } from '../../../domain/documents/json.ts'
import { formatCanonicalJson } from '../../../domain/documents/json.ts'
import { formatFileName, openFolder } from '../folder/folder.ts'
import type { Source, SourceItem } from '../source.ts'
import { SourceError } from '../source.ts'
import { createEmbedded } from './embedded-create.ts'
import { explainSqlite, openForWriting } from './embedded-file.ts'
import { DOCUMENTS } from './embedded-schema.ts'
import { openEmbedded } from './embedded.ts'
import { isTemporary, RefusedError, writeNewFile } from './new-file.ts'

/** `progress` gets the number of documents so far; `report` gets the problem of each line or row that was left out. */
export interface TransferOptions {
  readonly progress?: (count: number) => void
  readonly report?: (problem: Problem) => void
}

export interface TransferTotals {
  readonly documents: number
  readonly problems: number
}

/**
 * Says what happens to an existing file. `create` refuses it. `merge` inserts missing documents and updates those that
 * differ. `replace` also removes documents that the folder does not have.
 */
export type ImportMode = 'create' | 'merge' | 'replace'

interface ImportOptions extends TransferOptions {
  readonly mode?: ImportMode
}

/** Numbers of documents. */
interface Differences {
  readonly inserted: number
  readonly updated: number
  readonly removed: number
}

export type ImportSummary = TransferTotals & Differences

/** Documents between two calls of `progress`. */
const STEP = 1_000
/** Characters of text collected before a write. */
const CHUNK = 1024 * 1024

const INCOMING = DOCUMENTS.replace('CREATE TABLE documents', 'CREATE TEMP TABLE incoming')
const TAKE =
  'INSERT INTO incoming (collection, id, update_time, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
const DROP = 'DELETE FROM incoming WHERE collection = ? AND id = ?'

const COUNT = 'SELECT count(*) AS count FROM documents'
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
  { mode = 'create', ...options }: ImportOptions = {},
): Promise<ImportSummary> {
  const source = openFolder(folder)
  if (existsSync(file) && mode !== 'create') return mergeFolder(source, file, { mode, ...options })
  if (existsSync(file))
    throw new RefusedError(
      `${file} exists already: name another file, or say with --merge or --replace what to do with this one`,
    )
  let totals: TransferTotals = { documents: 0, problems: 0 }
  await createEmbedded(file, async (database) => {
    totals = await stage(source, database, options)
    merge(database, 'create')
  })
  return { ...totals, inserted: totals.documents, updated: 0, removed: 0 }
}

async function mergeFolder(source: Source, file: string, options: ImportOptions): Promise<ImportSummary> {
  const database = openForWriting(file)
  try {
    const totals = await stage(source, database, options)
    if (totals.documents === 0)
      throw new SourceError(`${source.label} holds no document that can be read: nothing was changed`)
    const differences = merge(database, options.mode)
    database.exec('COMMIT')
    return { ...totals, ...differences }
  } catch (error) {
    throw explainSqlite(file, error)
  } finally {
    database.close()
  }
}

// If several lines name a document, the last one counts; if that one cannot be read, the document is left out.
async function stage(
  source: Source,
  database: DatabaseSync,
  options: TransferOptions,
): Promise<TransferTotals> {
  database.exec(INCOMING)
  const take = database.prepare(TAKE)
  const drop = database.prepare(DROP)
  const tally = createTally(options)
  for await (const item of (await source.readAll()).items) {
    if (item.kind === 'unreadable') {
      tally.reject(item.problem)
      if (item.key !== null) tally.count(-Number(drop.run(item.key.collection, item.key.id).changes))
      continue
    }
    const { collection, id, updateTime, data } = item.document
    const values = [collection, id, updateTime, JSON.stringify(data)]
    tally.count(1)
    if (take.run(...values).changes === 1) continue
    drop.run(collection, id)
    take.run(...values)
    tally.count(-1)
    const reason = `occurs more than once in ${formatFileName(collection)}: only the last occurrence is used`
    tally.reject({ collection, id, field: '', reason, fatal: false })
  }
  return tally.totals
}

function merge(database: DatabaseSync, mode: ImportMode = 'create'): Differences {
  database.function('same_json', { deterministic: true }, isSameJson)
  const count = (): number => Number(database.prepare(COUNT).get()?.['count'])
  const before = count()
  const written = Number(database.prepare(MERGE).run().changes)
  const inserted = count() - before
  const removed = mode === 'replace' ? Number(database.prepare(REMOVE).run().changes) : 0
  return { inserted, updated: written - inserted, removed }
}

function isSameJson(a: SQLOutputValue, b: SQLOutputValue): number {
  return formatCanonicalJson(parse(a)) === formatCanonicalJson(parse(b)) ? 1 : 0
}

function parse(text: SQLOutputValue): Json {
  return JSON.parse(String(text))
}

/**
 * Both files are complete before either is renamed, so that a failed read changes neither. Rejects with a
 * `RefusedError` if the folder holds anything but an earlier export, complete or interrupted.
 */
export async function exportDatabase(
  file: string,
  folder: string,
  options: TransferOptions = {},
): Promise<TransferTotals> {
  const source = openEmbedded(file)
  try {
    requireRoom(folder)
    const tally = createTally(options)
    await writeNewFile(join(folder, formatFileName('users')), (users) =>
      writeNewFile(join(folder, formatFileName('cataloge')), async (cataloge) =>
        writeDocuments(source.readAll().items, { users, cataloge }, tally),
      ),
    )
    return tally.totals
  } finally {
    source.close()
  }
}

// The files may be empty, but exist afterwards.
function writeDocuments(
  items: Iterable<SourceItem>,
  files: Readonly<Record<Collection, string>>,
  tally: Tally,
): void {
  const lines = { users: '', cataloge: '' }
  const write = (collection: Collection): void => {
    appendFileSync(files[collection], lines[collection])
    lines[collection] = ''
  }
  for (const item of items) {
    if (item.kind === 'unreadable') {
      tally.reject(item.problem)
      continue
    }
    const { collection } = item.document
    lines[collection] += formatLine(item.document)
    if (lines[collection].length >= CHUNK) write(collection)
    tally.count(1)
  }
  for (const collection of COLLECTIONS) write(collection)
}

function formatLine({ id, updateTime, data }: SourceDocument): string {
  return `${JSON.stringify({ id, updateTime: updateTime ?? undefined, data })}\n`
}

function requireRoom(folder: string): void {
  const own = COLLECTIONS.map(formatFileName)
  const isOwn = (name: string): boolean => own.some((file) => name === file || isTemporary(file, name))
  const foreign = existsSync(folder) ? readdirSync(folder).find((name) => !isOwn(name)) : undefined
  if (foreign === undefined) return
  throw new RefusedError(`the folder ${folder} holds other files (${foreign}): name an empty or a new one`)
}

interface Tally {
  readonly totals: TransferTotals
  count(documents: number): void
  reject(problem: Problem): void
}

function createTally({ progress, report }: TransferOptions): Tally {
  const totals = { documents: 0, problems: 0 }
  return {
    totals,
    count: (documents) => {
      totals.documents += documents
      if (totals.documents % STEP === 0) progress?.(totals.documents)
    },
    reject: (problem) => {
      totals.problems += 1
      report?.(problem)
    },
  }
}
