/** Applies a read of the source to the snapshot in one transaction. SQL finds the differences. */
import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../../result-codes.ts'
import type { ChangedProducts } from './changed-products.ts'
import { DIFFERENT } from './changed-products.ts'
import { runLongTransaction } from '../sqlite/transactions.ts'
import { readNumber, runEach, writeJson } from '../sqlite/values.ts'
import { ADD_TOUCHED } from './waits-sql.ts'
import type { Intake, IntakeCounts } from './intake.ts'
import { createIntake } from './intake.ts'
import { beginHolding, countAbsent, hasRemovals, holdRemovals, NOT_HELD } from './held-removals.ts'
import { readTotals, toDocumentKey } from './snapshot-reads.ts'
import { copySnapshotPart, detachPart } from './snapshot-part.ts'
import { BEGIN_FILLING, END_FILLING, INCOMING_SCHEMA, RENEW_UPDATED } from './snapshot-schema.ts'
import type { Batches } from '../../sources/batch-items.ts'
import type { SourceItem, UnchangedItem } from '../../sources/source.ts'
import type {
  SnapshotChange,
  HoldRule,
  Loss,
  PartialRead,
  Settle,
  Snapshot,
  Totals,
  WholeRead,
} from './snapshot.ts'

export const KEEP_DIFFERENT = `
INSERT INTO entries SELECT new.collection, new.id, new.seller, new.value, new.update_time, new.text_hash
${DIFFERENT}
ON CONFLICT DO UPDATE SET seller = excluded.seller, value = excluded.value, update_time = excluded.update_time`

// Stores new text hashes, because a document's text may change without a change of its entry. Fires no trigger, because
// triggers ignore this column. Looks rows up by the keys of the incoming documents: with a plain join, SQLite would
// read all entries.
export const KEEP_TEXT = `
UPDATE entries SET text_hash = (
  SELECT text_hash FROM incoming WHERE incoming.collection = entries.collection AND incoming.id = entries.id
) WHERE (collection, id) IN (
  SELECT new.collection, new.id FROM incoming AS new CROSS JOIN entries AS old
  WHERE old.collection = new.collection AND old.id = new.id AND old.text_hash <> new.text_hash
)`

const NOT_INCOMING = `
NOT EXISTS (SELECT 1 FROM incoming WHERE incoming.collection = entries.collection AND incoming.id = entries.id)`

const IN_SCOPE_OF_SELLERS = 'seller IN (SELECT seller FROM scope_sellers)'
const IN_SCOPE = `(${IN_SCOPE_OF_SELLERS} OR (collection, id) IN (SELECT collection, id FROM scope_documents))`

const TOUCH = 'INSERT OR IGNORE INTO touched VALUES (?)'

const NONE = '0'
const COUNT_ADDED = `
SELECT count(*) AS count FROM incoming AS new LEFT JOIN entries AS old
ON old.collection = new.collection AND old.id = new.id WHERE old.id IS NULL`

export const DROP_PARTIAL = `${IN_SCOPE} AND ${NOT_INCOMING}`

// A full read touches every page of the file. With SQLite's default cache of 2 MB, each page would be written many
// times.
const ROOMY = 'PRAGMA main.cache_size = -16384; PRAGMA temp.cache_size = -16384'
const USUAL = 'PRAGMA main.cache_size = -2000; PRAGMA temp.cache_size = -2000; PRAGMA shrink_memory'

// A first read fills an almost empty file. A rollback journal holds the few earlier pages, while a write-ahead log
// would hold every new page a second time.
const FILLING = 'TRUNCATE'
const FILLED = 'WAL'

type Apply = Pick<Snapshot, 'applyWhole' | 'applyPartial'>

export function createApply(database: DatabaseSync, products: ChangedProducts): Apply {
  return {
    applyWhole: async (read, settle, rule = null) => {
      products.forget()
      const isFirst = readTotals(database).sellers === 0
      database.exec(ROOMY)
      if (isFirst) setJournal(database, FILLING)
      try {
        return await transact(database, rule, () => takeWhole(database, read, { settle, rule }))
      } finally {
        if (read.part !== null) detachPart(database)
        database.exec(USUAL)
        if (isFirst) setJournal(database, FILLED)
      }
    },
    applyPartial: async (read, settle, rule = null) => {
      try {
        return await transact(database, rule, async () => {
          const before = readTotals(database)
          writeScope(database, read)
          const intake = createIntake(database, { table: 'incoming', isPartial: true })
          for await (const batch of read.items) for (const item of batch) intake.take(item)
          await takeVanished(database, read, intake)
          const loss = holdRemovals(database, DROP_PARTIAL, rule)
          products.note(`${DROP_PARTIAL} AND ${NOT_HELD}`, read.named)
          merge(database, DROP_PARTIAL, loss)
          runEach(database, TOUCH, read.named)
          return settleChange(database, { before, loss, reads: intake.counts.reads }, settle)
        })
      } catch (error) {
        products.forget()
        throw error
      }
    },
  }
}

// The mode cannot change while another connection has the file open. This error is ignored, because the previous mode
// is only slower.
function setJournal(database: DatabaseSync, mode: string): void {
  try {
    database.exec(`PRAGMA journal_mode = ${mode}`)
  } catch (error) {
    if (!isBusy(error)) throw error
  }
}

async function takeWhole(
  database: DatabaseSync,
  { items, part, readAgain }: WholeRead,
  { settle, rule }: { readonly settle: Settle; readonly rule: HoldRule | null },
): Promise<SnapshotChange> {
  const before = readTotals(database)
  const isFirst = before.sellers === 0
  database.exec(isFirst ? `DELETE FROM problems; ${BEGIN_FILLING}` : 'DELETE FROM problems')
  const table = isFirst ? 'entries' : 'incoming'
  const take = async (all: Batches<SourceItem | UnchangedItem>): Promise<IntakeCounts> => {
    const intake = createIntake(database, { table, isPartial: false })
    for await (const batch of all) for (const item of batch) intake.take(item)
    return intake.counts
  }
  let counts = await take(items)
  if (part !== null) {
    const other = await part
    copySnapshotPart(database, other, table)
    counts = addCounts(counts, other.counts)
  }
  if (isFirst) {
    database.exec(END_FILLING)
    return settleChange(database, { before, loss: NOTHING, reads: counts.reads }, settle)
  }
  // Returns whether the read lacks entries. Compares counts, because searching for the removed entries takes longer.
  const isShorter = (): boolean => countExpected(database) > counts.entries
  if (isShorter() && counts.unchanged > 0) {
    database.exec('DELETE FROM problems; DELETE FROM incoming')
    counts = await take(readAgain())
  }
  const missing = isShorter() ? NOT_INCOMING : NONE
  const loss = holdRemovals(database, missing, rule)
  merge(database, missing, loss)
  return settleChange(database, { before, loss, reads: counts.reads }, settle)
}

// Returns the number of entries that a full read has if no document has disappeared from the source since the last
// read. Does not count held entries that the source still lacks.
function countExpected(database: DatabaseSync): number {
  const { profiles, products } = readTotals(database)
  const added = readNumber(database.prepare(COUNT_ADDED))
  return profiles + products + added - countAbsent(database)
}

/** `missing` is the SQL condition for entries that the source lacks. */
function merge(database: DatabaseSync, missing: string, loss: Loss): void {
  database.exec(`${KEEP_DIFFERENT}; ${KEEP_TEXT}`)
  // Skips a DELETE that would find nothing, because `hasRemovals` is faster.
  if (hasRemovals(database, loss)) database.exec(`DELETE FROM entries WHERE ${missing} AND ${NOT_HELD}`)
}

function addCounts(one: IntakeCounts, other: IntakeCounts): IntakeCounts {
  return {
    reads: one.reads + other.reads,
    entries: one.entries + other.entries,
    unchanged: one.unchanged + other.unchanged,
  }
}

async function transact(
  database: DatabaseSync,
  rule: HoldRule | null,
  work: () => Promise<SnapshotChange>,
): Promise<SnapshotChange> {
  database.exec(INCOMING_SCHEMA)
  return runLongTransaction(database, async () => {
    beginHolding(database, rule)
    return work()
  })
}

function writeScope(database: DatabaseSync, { sellers, documents }: PartialRead): void {
  runEach(database, 'INSERT OR IGNORE INTO scope_sellers VALUES (?)', sellers)
  const addDocument = database.prepare('INSERT OR IGNORE INTO scope_documents VALUES (?, ?)')
  for (const { collection, id } of documents) addDocument.run(collection, id)
  database.exec(`DELETE FROM problems WHERE ${IN_SCOPE}`)
}

// Looks up documents of `read.documents` that were not read yet. Also looks up products that the snapshot has but the
// read of their sellers lacks, unless their removal is held back.
async function takeVanished(database: DatabaseSync, read: PartialRead, intake: Intake): Promise<void> {
  const vanished = database
    .prepare(
      `SELECT collection, id FROM entries INDEXED BY entries_seller WHERE collection = 'cataloge' AND ${IN_SCOPE_OF_SELLERS} AND ${NOT_INCOMING} AND ${NOT_HELD}
       UNION SELECT collection, id FROM scope_documents`,
    )
    .all()
    .map(toDocumentKey)
    .filter((document) => !intake.hasSeen(document))
  if (vanished.length === 0) return
  for await (const item of read.lookUp(vanished)) intake.take(item)
}

const NOTHING: Loss = {
  before: { profiles: 0, products: 0 },
  gone: { profiles: 0, products: 0 },
  pricesGone: 0,
}

interface Taken {
  readonly before: Totals
  readonly loss: Loss
  readonly reads: number
}

async function settleChange(
  database: DatabaseSync,
  { before, loss, reads }: Taken,
  settle: Settle,
): Promise<SnapshotChange> {
  database.exec(`${RENEW_UPDATED} ${ADD_TOUCHED}`)
  const sellers = Number(database.prepare('DELETE FROM sellers WHERE entries = 0').run().changes)
  const { gone, pricesGone } = loss
  const change = { before, gone: { ...gone, sellers }, after: readTotals(database), pricesGone, reads }
  const position = await settle(change)
  writeJson(database, 'position', position)
  return change
}
