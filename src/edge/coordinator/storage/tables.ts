/**
 * The coordinator's tables. Cloudflare bills each row and each index entry that is written, so each index contains only
 * the rows that its queries search for. `counts.ts` keeps the counts that would otherwise need a scan.
 */
import { DIMENSIONS } from '../objects/object-row.ts'
import { SUMS } from './counts.ts'

/**
 * `failure`: why the page fails, as JSON. `since`: since when. `retry_at`: when the next try is due. `notices`: notices
 * that may be redelivered, with the times of their arrival, as JSON. `stranger`: the serial number of a new seller,
 * until a builder reports whether the seller exists. `absent`: sequence of the build that found that the seller does not
 * exist.
 */
const FEED = `
CREATE TABLE IF NOT EXISTS feed (
  seller TEXT PRIMARY KEY, changed INTEGER NOT NULL, shown INTEGER, retry_at INTEGER, since INTEGER, failure TEXT,
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
  only INTEGER PRIMARY KEY CHECK (only = 1), value TEXT NOT NULL, last INTEGER NOT NULL, published INTEGER NOT NULL, claimed INTEGER NOT NULL,
  ${SUMS.map((name) => `${name} INTEGER NOT NULL DEFAULT 0`).join(', ')}) STRICT`

export const TABLES = [
  STANDING,
  FEED,
  OBJECTS,
  'CREATE TABLE IF NOT EXISTS log (place INTEGER PRIMARY KEY, number INTEGER NOT NULL, value TEXT NOT NULL) STRICT',
  'CREATE INDEX IF NOT EXISTS feed_by_change ON feed (changed)',
  'CREATE INDEX IF NOT EXISTS feed_by_retry ON feed (retry_at) WHERE retry_at IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_by_failure ON feed (since) WHERE since IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_strangers ON feed (stranger) WHERE stranger IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_absent ON feed (absent) WHERE absent IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS objects_by_bucket ON objects (bucket, name) WHERE sellers > 0',
  'CREATE INDEX IF NOT EXISTS objects_lost ON objects (since) WHERE since IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS objects_refused ON objects (until) WHERE until IS NOT NULL',
] as const
