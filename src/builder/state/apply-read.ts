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

export interface ApplyOptions {
  /** Whether the differences of documents are listed. */
  readonly isExplained: boolean
  /** Called with the number of documents read so far. */
  readonly progress: (count: number) => void
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
CREATE TEMP TABLE IF NOT EXISTS differing (collection TEXT, id TEXT, before TEXT, after TEXT);
CREATE TEMP TABLE IF NOT EXISTS changed (seller TEXT PRIMARY KEY, products INTEGER) WITHOUT ROWID;
DELETE FROM incoming; DELETE FROM scope; DELETE FROM differing; DELETE FROM changed;`

type Scope = 'whole' | 'named'

const IS_IN_SCOPE = { whole: 'true', named: 'seller IN (SELECT seller FROM scope)' } as const

// Documents that are new, or differ.
const DIFFERING = `
INSERT INTO differing SELECT collection, id, old.seller, new.seller
FROM incoming AS new LEFT JOIN entries AS old USING (collection, id)
WHERE old.value IS NOT new.value OR old.seller IS NOT new.seller OR old.time IS NOT new.time`
// Documents of the scope that the source no longer has. `CROSS JOIN` keeps SQLite from walking all entries first.
const GONE = {
  whole: 'entries AS old LEFT JOIN incoming AS new USING (collection, id) WHERE new.id IS NULL',
  named: `scope CROSS JOIN entries AS old ON old.seller = scope.seller
    LEFT JOIN incoming AS new ON new.collection = old.collection AND new.id = old.id WHERE new.id IS NULL`,
} as const
// If this is 0, a read of everything lacks no document, which saves a walk over all entries.
const COUNT_GONE = `
SELECT (SELECT count(*) FROM entries) + (SELECT count(*) FROM differing WHERE before IS NULL)
  - (SELECT count(*) FROM incoming) AS count`
const CHANGED = `
INSERT INTO changed SELECT seller, (SELECT products FROM sellers WHERE id = seller) FROM (
  SELECT before AS seller FROM differing UNION SELECT after FROM differing) WHERE seller IS NOT NULL`

export async function applyRead(
  database: DatabaseSync,
  read: SourceRead,
  options: ApplyOptions,
): Promise<AppliedRead> {
  database.exec(INCOMING)
  const scope = read.sellers === null ? 'whole' : 'named'
  const add = database.prepare('INSERT OR IGNORE INTO scope VALUES (?)')
  for (const seller of read.sellers ?? []) add.run(seller)
  database.exec(`DELETE FROM problems WHERE ${IS_IN_SCOPE[scope]}`)
  const reads = await takeItems(database, read, options.progress)
  findDiffering(database, scope)
  const differences = options.isExplained ? listDifferences(database) : []
  replaceEntries(database, scope)
  const before = readJson<Totals>(database, 'totals') ?? { sellers: 0, products: 0 }
  const { gain, loss } = readBalance(database)
  const after = { sellers: before.sellers + gain.sellers, products: before.products + gain.products }
  writeMeta(database, 'totals', JSON.stringify(after))
  const changed = listTexts(database.prepare('SELECT seller FROM changed'))
  return { reads, changed, before, after, loss, differences }
}

function findDiffering(database: DatabaseSync, scope: Scope): void {
  database.exec(DIFFERING)
  if (scope === 'named' || database.prepare(COUNT_GONE).get()?.['count'] !== 0)
    database.exec(`INSERT INTO differing SELECT old.collection, old.id, old.seller, NULL FROM ${GONE[scope]}`)
  database.exec(CHANGED)
}

function replaceEntries(database: DatabaseSync, scope: Scope): void {
  const moved = database.prepare('SELECT before, collection, id FROM differing WHERE before <> after')
  const drop = database.prepare('DELETE FROM entries WHERE seller = ? AND collection = ? AND id = ?')
  for (const { before = '', collection = '', id = '' } of moved.all()) drop.run(before, collection, id)
  database.exec(`
    DELETE FROM entries WHERE seller IN (SELECT seller FROM changed) AND ${IS_IN_SCOPE[scope]};
    INSERT INTO entries SELECT seller, collection, id, value, time FROM incoming
      WHERE seller IN (SELECT seller FROM changed) ORDER BY seller, collection, id;
    DELETE FROM sellers WHERE id IN (SELECT seller FROM changed);
    INSERT INTO sellers SELECT seller, sum(collection = 'cataloge'), max(time), find_bucket(seller)
      FROM entries WHERE seller IN (SELECT seller FROM changed) GROUP BY seller`)
}

/** `gain` is what the sellers gain, less what they lose. */
function readBalance(database: DatabaseSync): Readonly<Record<'gain' | 'loss', Totals>> {
  const query = `
    WITH balance AS (
      -- before is NULL for a seller who was not there.
      SELECT changed.products AS before, sellers.products AS after
      FROM changed LEFT JOIN sellers ON sellers.id = changed.seller
    ),
    losses AS (
      SELECT before IS NOT NULL AND after IS NULL AS sellers,
        max(0, coalesce(before, 0) - coalesce(after, 0)) AS products FROM balance
    ),
    most AS (SELECT * FROM losses ORDER BY products DESC, sellers DESC LIMIT 1)
    SELECT
      (SELECT coalesce(sum((after IS NOT NULL) - (before IS NOT NULL)), 0) FROM balance) AS sellersGained,
      (SELECT coalesce(sum(coalesce(after, 0) - coalesce(before, 0)), 0) FROM balance) AS productsGained,
      (SELECT coalesce(sum(sellers), 0) FROM losses) - coalesce((SELECT sellers FROM most), 0) AS sellersLost,
      (SELECT coalesce(sum(products), 0) FROM losses) - coalesce((SELECT products FROM most), 0) AS productsLost`
  const row = database.prepare(query).get() ?? {}
  return {
    gain: { sellers: Number(row['sellersGained']), products: Number(row['productsGained']) },
    loss: { sellers: Number(row['sellersLost']), products: Number(row['productsLost']) },
  }
}

function listDifferences(database: DatabaseSync): readonly DocumentDifference[] {
  const rows = database.prepare(`
    SELECT collection, id, before, after, old.value AS oldValue, new.value AS newValue FROM differing
    LEFT JOIN entries AS old USING (collection, id) LEFT JOIN incoming AS new USING (collection, id)`)
  return rows.all().map((row) => ({
    collection: row['collection'] === 'users' ? 'users' : 'cataloge',
    id: String(row['id']),
    before: toDocumentState(row['before'], row['oldValue']),
    after: toDocumentState(row['after'], row['newValue']),
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
  const isStep = (next: SourceItem): boolean => {
    take(next)
    return (count += 1) % STEP === 0
  }
  const note = (): Promise<void> => {
    progress(count)
    return setImmediate()
  }
  // A plain loop, because awaiting each document of a source that reads at once takes half as long as parsing it.
  if (Symbol.iterator in items) {
    for (const item of items) if (isStep(item)) await note()
  } else for await (const item of items) if (isStep(item)) await note()
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
