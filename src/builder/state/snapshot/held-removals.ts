/**
 * Holds back removals. While the removal of an entry, or of a price of its document, is held back, the entry stays
 * unchanged. This ends when the source has the document again with all prices of the entry, or with another seller, or
 * when the removal is released.
 */
import type { DatabaseSync } from 'node:sqlite'
import { readNumber } from '../sqlite/values.ts'
import type { HeldRemoval, HoldRule, Loss, Snapshot } from './snapshot.ts'
import { readTotals, toDocumentKey } from './snapshot-reads.ts'

export const NOT_HELD = `
NOT EXISTS (SELECT 1 FROM held WHERE held.collection = entries.collection AND held.id = entries.id)`

// If a time is further in the future than a removal is held back, the clock was ahead when it was written. For times that
// are less far in the future, it may be the present clock that is behind.
const CLAMP = 'UPDATE held SET since = :now WHERE since - :now > :now - :released'
const RELEASE = 'DELETE FROM held WHERE since <= ?'

const INCOMING = `
FROM incoming AS new CROSS JOIN entries ON entries.collection = new.collection AND entries.id = new.id`

const PRICE_GONE = ['$.price', '$._5ml.price', '$._10ml.price']
  .map(
    (price) =>
      `(json_extract(entries.value, '${price}') IS NOT NULL AND json_extract(new.value, '${price}') IS NULL)`,
  )
  .join(' OR ')

// Excludes removals that were held back before this read, even if this read releases them, because the loss of an
// earlier read already included them.
const IS_NEW = `
NOT EXISTS (SELECT 1 FROM known_held WHERE known_held.collection = entries.collection AND known_held.id = entries.id)`

/**
 * Selects entries to remove, and entries that lose a price but stay with their seller. Leaves out those that were held
 * back before this read. `missing` is the SQL condition for entries to remove.
 */
export const LOST = (missing: string): string => `
SELECT collection, id, seller, 1 AS is_gone FROM entries WHERE ${missing} AND ${IS_NEW}
UNION ALL
SELECT entries.collection, entries.id, entries.seller, 0
${INCOMING} WHERE entries.value <> new.value AND entries.seller = new.seller AND (${PRICE_GONE}) AND ${IS_NEW}`

const COUNTS = `
count(*) FILTER (WHERE is_gone AND collection = 'users') AS profiles,
count(*) FILTER (WHERE is_gone AND collection = 'cataloge') AS products,
count(*) FILTER (WHERE NOT is_gone) AS prices`
const OF_ALL = (missing: string): string => `SELECT ${COUNTS} FROM (${LOST(missing)})`
const OF_LARGEST = (missing: string): string => `
SELECT seller, ${COUNTS} FROM (${LOST(missing)}) GROUP BY seller ORDER BY count(*) DESC, seller LIMIT 1`
const HOLD = (missing: string): string => `
INSERT INTO held SELECT collection, id, seller, ? FROM (${LOST(missing)}) WHERE seller = ?`

const FORGET_RETURNED = `
DELETE FROM held WHERE (collection, id) IN (
  SELECT new.collection, new.id ${INCOMING} JOIN held ON held.collection = new.collection AND held.id = new.id
  WHERE entries.seller <> new.seller OR NOT (${PRICE_GONE})
)`
// An empty text hash makes later reads parse a held document again, even if its text is unchanged.
const KEEP_ENTRIES = `
DELETE FROM incoming WHERE (collection, id) IN (SELECT collection, id FROM held);
UPDATE entries SET text_hash = '' WHERE (collection, id) IN (SELECT collection, id FROM held)`

const ABSENT = `
SELECT count(*) AS count FROM held WHERE NOT EXISTS (
  SELECT 1 FROM incoming WHERE incoming.collection = held.collection AND incoming.id = held.id
)`

const HELD = `
SELECT seller, count(*) FILTER (WHERE collection = 'users') AS profiles,
  count(*) FILTER (WHERE collection = 'cataloge') AS products, min(since) AS since
FROM held GROUP BY seller ORDER BY seller`
const RELEASED = 'SELECT collection, id FROM held WHERE since <= ? ORDER BY collection, id'

/**
 * Copies the list of removals held back so far to `known_held`, then releases those that the rule no longer holds back.
 * Must run first in a read's transaction.
 */
export function beginHolding(database: DatabaseSync, rule: HoldRule | null): void {
  database.exec('INSERT INTO known_held SELECT collection, id FROM held')
  if (rule === null) return
  database.prepare(CLAMP).run({ now: rule.now, released: rule.released })
  database.prepare(RELEASE).run(rule.released)
}

/**
 * Holds back the removals that the rule selects, and returns the loss of the read without these removals. Must run
 * before the incoming documents are compared with the entries.
 */
export function holdRemovals(database: DatabaseSync, missing: string, rule: HoldRule | null): Loss {
  database.exec(FORGET_RETURNED)
  const { profiles, products } = readTotals(database)
  const all = { before: { profiles, products }, ...toLost(database.prepare(OF_ALL(missing)).get()) }
  let largest: SellerLoss | null = null
  const readLargest = (): SellerLoss => (largest ??= readLargestLoss(database, missing))
  const isHeld = rule !== null && isLoss(all) && rule.isHeld(all, readLargest)
  if (isHeld) database.prepare(HOLD(missing)).run(rule.now, readLargest().seller)
  database.exec(KEEP_ENTRIES)
  return isHeld ? { ...subtractLoss(all, readLargest()), before: all.before } : all
}

/** Returns whether a read with this loss may have entries to delete. */
export function hasRemovals(database: DatabaseSync, { gone }: Loss): boolean {
  if (gone.profiles + gone.products > 0) return true
  return database.prepare('SELECT 1 FROM known_held LIMIT 1').get() !== undefined
}

/** Returns the number of entries that are held back because the source does not have them at all. */
export function countAbsent(database: DatabaseSync): number {
  return readNumber(database.prepare(ABSENT))
}

export function createHeldReads(database: DatabaseSync): Pick<Snapshot, 'readHeld' | 'findReleased'> {
  return {
    readHeld: () => database.prepare(HELD).all().map(toHeldRemoval),
    findReleased: (released) => database.prepare(RELEASED).all(released).map(toDocumentKey),
  }
}

interface SellerLoss extends Loss {
  readonly seller: string
}

type Row = Record<string, unknown>

function readLargestLoss(database: DatabaseSync, missing: string): SellerLoss {
  const row = database.prepare(OF_LARGEST(missing)).get()
  const seller = String(row?.['seller'])
  const { entries, products } = database
    .prepare('SELECT entries, products FROM sellers WHERE id = ?')
    .get(seller) ?? { entries: 0, products: 0 }
  const before = { profiles: Number(entries) - Number(products), products: Number(products) }
  return { seller, before, ...toLost(row) }
}

function toLost(row: Row | undefined): Pick<Loss, 'gone' | 'pricesGone'> {
  const gone = { profiles: Number(row?.['profiles']), products: Number(row?.['products']) }
  return { gone, pricesGone: Number(row?.['prices']) }
}

function isLoss({ gone, pricesGone }: Loss): boolean {
  return gone.profiles + gone.products + pricesGone > 0
}

function toHeldRemoval(row: Row): HeldRemoval {
  return {
    seller: String(row['seller']),
    profiles: Number(row['profiles']),
    products: Number(row['products']),
    since: Number(row['since']),
  }
}

/** Returns a loss without the part of one seller. */
export function subtractLoss(all: Loss, hers: Loss): Loss {
  const subtract = (one: Loss['gone'], other: Loss['gone']): Loss['gone'] => ({
    profiles: one.profiles - other.profiles,
    products: one.products - other.products,
  })
  return {
    before: subtract(all.before, hers.before),
    gone: subtract(all.gone, hers.gone),
    pricesGone: all.pricesGone - hers.pricesGone,
  }
}
