/**
 * The coordinator's tables. Cloudflare bills each row and each index entry that is written, so each index contains only
 * the rows that its queries search for. `counts.ts` keeps the counts that would otherwise need a scan.
 */
import { DIMENSIONS } from '../objects/object-row.ts'
import { GREATEST, SUMS } from './counts.ts'

/** Sellers whose weighted count of changes in an hour (`recent`) is greater than this are listed as changing often. */
export const OFTEN = 12

/**
 * `notices`: notices that may be redelivered, with the times of their arrival, as JSON. `stranger`: the serial number
 * of a new seller, until a builder reports whether the seller exists. `absent`: sequence of the build that found that
 * the seller does not exist.
 */
const FEED = `
CREATE TABLE IF NOT EXISTS feed (
  seller TEXT PRIMARY KEY, changed INTEGER NOT NULL, done INTEGER NOT NULL, last INTEGER NOT NULL, recent REAL NOT NULL,
  phase TEXT, at INTEGER NOT NULL, kind TEXT, first INTEGER NOT NULL, shown INTEGER, silent INTEGER NOT NULL, value TEXT,
  notices TEXT, stranger INTEGER, absent INTEGER) STRICT, WITHOUT ROWID`

/**
 * `loss`: the counts that the object has lost, and those before the loss, as JSON. `since`: when this loss began.
 * `removal`: the object's counts after a removal that the guard refused, as JSON. `until`: 0 while the removal is
 * refused; after a person has permitted it, when this permission ends.
 */
const OBJECTS = `
CREATE TABLE IF NOT EXISTS objects (
  name TEXT PRIMARY KEY, version INTEGER NOT NULL, bucket INTEGER NOT NULL, updated TEXT NOT NULL,
  ${DIMENSIONS.map((one) => `${one} INTEGER NOT NULL`).join(', ')},
  since INTEGER, loss TEXT, until INTEGER, removal TEXT) STRICT, WITHOUT ROWID`

const STANDING = `
CREATE TABLE IF NOT EXISTS standing (
  only INTEGER PRIMARY KEY CHECK (only = 1), value TEXT NOT NULL, published INTEGER NOT NULL, claimed INTEGER NOT NULL,
  ${[...GREATEST, ...SUMS].map((name) => `${name} INTEGER NOT NULL DEFAULT 0`).join(', ')}) STRICT`

export const TABLES = [
  STANDING,
  FEED,
  OBJECTS,
  'CREATE TABLE IF NOT EXISTS log (place INTEGER PRIMARY KEY, number INTEGER NOT NULL, value TEXT NOT NULL) STRICT',
  'CREATE INDEX IF NOT EXISTS feed_by_change ON feed (changed)',
  'CREATE INDEX IF NOT EXISTS feed_by_phase ON feed (phase, at) WHERE phase IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_set_back ON feed (kind, first) WHERE kind IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_silent ON feed (silent) WHERE silent > 0',
  `CREATE INDEX IF NOT EXISTS feed_often ON feed (changed) WHERE recent > ${OFTEN}`,
  'CREATE INDEX IF NOT EXISTS feed_strangers ON feed (stranger) WHERE stranger IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_absent ON feed (absent) WHERE absent IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS objects_by_bucket ON objects (bucket, name) WHERE sellers > 0',
  'CREATE INDEX IF NOT EXISTS objects_lost ON objects (since) WHERE since IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS objects_refused ON objects (until) WHERE until IS NOT NULL',
] as const
