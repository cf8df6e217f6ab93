/**
 * Puts what was read from a source in place of the documents in the read's scope, set by set. A read of named sellers
 * deletes nothing of others, except documents that came with another owner.
 */
import { setImmediate } from 'node:timers/promises'
import type { DatabaseSync } from 'node:sqlite'
import type { Problem, SourceDocument } from '../../domain/documents/document.ts'
import { parseDocument } from '../../domain/documents/parse-document.ts'
import { formatUpdateTime } from '../../domain/documents/update-time.ts'
import { findSeller } from '../sources/find-seller.ts'
import type { DocumentKey, SourceItem, SourceRead } from '../sources/source.ts'
import { listTexts, readJson, writeMeta } from './sqlite/values.ts'

export interface Totals {
  readonly sellers: number
  readonly products: number
}

export interface AppliedRead {
  /** Number of documents that were read. */
  readonly reads: number
  /** Sellers whose documents differ, also those who have none any more. */
  readonly changed: readonly string[]
  readonly before: Totals
  readonly after: Totals
  /** What the sellers lose who lose sellers or products, without the one who loses most. */
  readonly loss: Totals
  /** Empty unless they were asked for. */
  readonly differences: readonly DocumentDifference[]
}

/** `null` stands for a document that is not there. */
export interface DocumentDifference extends DocumentKey {
  readonly before: DocumentState | null
  readonly after: DocumentState | null
}

interface DocumentState {
  readonly seller: string
  /** The parsed document, as JSON. */
  readonly value: string
}

const INCOMING = `
CREATE TEMP TABLE IF NOT EXISTS incoming (
  seller TEXT, collection TEXT, id TEXT, value TEXT, time TEXT, PRIMARY KEY (collection, id)
) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS scope (seller TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS changed (seller TEXT PRIMARY KEY, products INTEGER) WITHOUT ROWID;
DELETE FROM incoming; DELETE FROM scope; DELETE FROM changed;`

const PAIRS = 'incoming AS new LEFT JOIN entries AS old USING (collection, id)'
const DIFFER = 'old.value IS NOT new.value OR old.seller IS NOT new.seller OR old.time IS NOT new.time'
// Documents of the scope that the source no longer has. `CROSS JOIN` keeps SQLite from walking all entries first.
const GONE = {
  whole: 'entries AS old LEFT JOIN incoming AS new USING (collection, id) WHERE new.id IS NULL',
  named: `scope CROSS JOIN entries AS old ON old.seller = scope.seller
    LEFT JOIN incoming AS new ON new.collection = old.collection AND new.id = old.id WHERE new.id IS NULL`,
} as const

const IS_IN_SCOPE = { whole: 'true', named: 'seller IN (SELECT seller FROM scope)' } as const

export async function applyRead(
  database: DatabaseSync,
  read: SourceRead,
  options: { readonly isExplained: boolean; readonly progress: (count: number) => void },
): Promise<AppliedRead> {
  database.exec(INCOMING)
  const scope = read.sellers === null ? 'whole' : 'named'
  const add = database.prepare('INSERT OR IGNORE INTO scope VALUES (?)')
  for (const seller of read.sellers ?? []) add.run(seller)
  database.exec(`DELETE FROM problems WHERE ${IS_IN_SCOPE[scope]}`)
  const reads = await takeItems(database, read, options.progress)
  database.exec(`
    INSERT OR IGNORE INTO changed SELECT new.seller, 0 FROM ${PAIRS} WHERE ${DIFFER};
    INSERT OR IGNORE INTO changed SELECT old.seller, 0 FROM ${PAIRS} WHERE old.seller <> new.seller;
    INSERT OR IGNORE INTO changed SELECT old.seller, 0 FROM ${GONE[scope]};
    UPDATE changed SET products = (SELECT products FROM sellers WHERE id = changed.seller)`)
  const differences = options.isExplained ? listDifferences(database, scope) : []
  replaceEntries(database, scope)
  const before = readJson<Totals>(database, 'totals') ?? { sellers: 0, products: 0 }
  const { gain, loss } = readBalance(database)
  const after = { sellers: before.sellers + gain.sellers, products: before.products + gain.products }
  writeMeta(database, 'totals', JSON.stringify(after))
  const changed = listTexts(database.prepare('SELECT seller FROM changed'))
  return { reads, changed, before, after, loss, differences }
}

function replaceEntries(database: DatabaseSync, scope: keyof typeof GONE): void {
  const moved = database.prepare(
    `SELECT old.seller, collection, id FROM ${PAIRS} WHERE old.seller <> new.seller`,
  )
  const drop = database.prepare('DELETE FROM entries WHERE seller = ? AND collection = ? AND id = ?')
  for (const { seller = '', collection = '', id = '' } of moved.all()) drop.run(seller, collection, id)
  const CHANGED = '(SELECT seller FROM changed)'
  database.exec(`
    DELETE FROM entries WHERE seller IN ${CHANGED} AND ${IS_IN_SCOPE[scope]};
    INSERT INTO entries SELECT seller, collection, id, value, time FROM incoming
      WHERE seller IN ${CHANGED} ORDER BY seller, collection, id;
    DELETE FROM sellers WHERE id IN ${CHANGED};
    INSERT INTO sellers SELECT seller, sum(collection = 'cataloge'), max(time), find_bucket(seller)
      FROM entries WHERE seller IN ${CHANGED} GROUP BY seller`)
}

// `products` is NULL for a seller who was not there before.
const BALANCE = `
SELECT changed.seller, changed.products AS before, sellers.products AS after
FROM changed LEFT JOIN sellers ON sellers.id = changed.seller`

interface Balance {
  /** What the sellers gain, less what they lose. */
  readonly gain: Totals
  readonly loss: Totals
}

function readBalance(database: DatabaseSync): Balance {
  const statement = database.prepare(`
    WITH balance AS (${BALANCE}),
    losses AS (
      SELECT before IS NOT NULL AND after IS NULL AS sellers,
        max(0, coalesce(before, 0) - coalesce(after, 0)) AS products FROM balance
    ),
    most AS (SELECT * FROM losses ORDER BY products DESC, sellers DESC LIMIT 1)
    SELECT
      (SELECT coalesce(sum((after IS NOT NULL) - (before IS NOT NULL)), 0) FROM balance) AS sellersGained,
      (SELECT coalesce(sum(coalesce(after, 0) - coalesce(before, 0)), 0) FROM balance) AS productsGained,
      (SELECT coalesce(sum(sellers), 0) FROM losses) - coalesce((SELECT sellers FROM most), 0) AS sellersLost,
      (SELECT coalesce(sum(products), 0) FROM losses) - coalesce((SELECT products FROM most), 0) AS productsLost`)
  const row = statement.get() ?? {}
  return {
    gain: { sellers: Number(row['sellersGained']), products: Number(row['productsGained']) },
    loss: { sellers: Number(row['sellersLost']), products: Number(row['productsLost']) },
  }
}

function listDifferences(database: DatabaseSync, scope: keyof typeof GONE): readonly DocumentDifference[] {
  const FIELDS =
    'old.seller AS oldSeller, old.value AS oldValue, new.seller AS newSeller, new.value AS newValue'
  const rows = database.prepare(`
    SELECT collection, id, ${FIELDS} FROM ${PAIRS} WHERE ${DIFFER}
    UNION ALL SELECT old.collection, old.id, ${FIELDS} FROM ${GONE[scope]}`)
  return rows.all().map((row) => ({
    collection: row['collection'] === 'users' ? 'users' : 'cataloge',
    id: String(row['id']),
    before: toDocumentState(row['oldSeller'], row['oldValue']),
    after: toDocumentState(row['newSeller'], row['newValue']),
  }))
}

function toDocumentState(seller: unknown, value: unknown): DocumentState | null {
  return typeof seller === 'string' ? { seller, value: String(value) } : null
}

/** Documents after which the event loop may turn, so that progress is shown even if the source reads at once. */
const STEP = 1_000

/** Validates the items, and collects them and their problems. Returns the number of documents. */
async function takeItems(
  database: DatabaseSync,
  { items, sellers }: SourceRead,
  progress: (count: number) => void,
): Promise<number> {
  const take = createIntake(database, sellers !== null)
  let count = 0
  progress(0)
  const note = async (): Promise<void> => {
    progress(count)
    await setImmediate()
  }
  // A plain loop, because awaiting each document of a source that reads at once takes half as long as parsing it.
  if (Symbol.iterator in items)
    for (const item of items) {
      take(item)
      if ((count += 1) % STEP === 0) await note()
    }
  else
    for await (const item of items) {
      take(item)
      if ((count += 1) % STEP === 0) await note()
    }
  return count
}

/** `isPartial`: problems of these documents are known from reads that had another scope. */
function createIntake(database: DatabaseSync, isPartial: boolean): (item: SourceItem) => void {
  const add = database.prepare('INSERT OR IGNORE INTO incoming VALUES (?, ?, ?, ?, ?)')
  const replace = database.prepare('INSERT OR REPLACE INTO incoming VALUES (?, ?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM incoming WHERE collection = ? AND id = ?')
  const forget = database.prepare('DELETE FROM problems WHERE collection = ? AND id = ?')
  const complain = database.prepare('INSERT OR REPLACE INTO problems VALUES (?, ?, ?, ?, ?, ?)')
  const odd = new Set<string>()
  const report = ({ collection, id, field, reason, fatal }: Problem, seller: string | null): void => {
    odd.add(`${collection}/${id}`)
    complain.run(collection, id.toWellFormed(), field, reason, fatal ? 1 : 0, seller)
  }
  /** Deletes the problems of earlier occurrences. Returns whether there were any in this read. */
  const begin = ({ collection, id }: DocumentKey): boolean => {
    const wasOdd = odd.has(`${collection}/${id}`)
    if (isPartial || wasOdd) forget.run(collection, id.toWellFormed())
    return wasOdd
  }
  const takeDocument = (document: SourceDocument): void => {
    const { collection, id } = document
    const wasOdd = begin(document)
    const seller = findSeller(document)?.toWellFormed() ?? null
    const entry = parseDocument(document, (problem) => report(problem, seller))
    if (entry === null) return void remove.run(collection, id)
    const reportField = (field: string, reason: string): void =>
      report({ collection, id, field, reason, fatal: false }, seller)
    const time = formatUpdateTime(document.updateTime)
    if (time === null) reportField('update_time', 'is not a time in RFC 3339 format')
    // Equal values give equal text, because `parseDocument` creates keys in a fixed order.
    const value = JSON.stringify(entry.kind === 'profile' ? entry.profile : entry.product)
    const row = [entry.seller, collection, id, value, time ?? ''] as const
    const isNew = add.run(...row).changes > 0
    if (!isNew) replace.run(...row)
    if (wasOdd || !isNew) reportField('', 'occurs more than once: only the last occurrence is used')
  }
  return (item) => {
    if (item.kind === 'document') return takeDocument(item.document)
    if (item.key !== null) {
      begin(item.key)
      remove.run(item.key.collection, item.key.id)
    }
    report(item.problem, null)
  }
}
