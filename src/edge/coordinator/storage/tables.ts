/**
 * The coordinator's tables. Cloudflare bills each row and each index entry that is written, so each index contains only
 * the rows that its queries search for. `counts.ts` keeps the counts that would otherwise need a scan.
 */
import { SUMS } from './counts.ts'

/**
 * `failure`: why the page fails, as JSON. `since`: since when. `retry_at`: when the next try is due. `notices`: notices
 * that may be redelivered, with the times of their arrival, as JSON. `stranger`: the serial number of a new seller,
 * until a builder reports whether the seller exists. `absent`: sequence of the build that found that the seller does not
 * exist.
 */
const FEED = `
CREATE TABLE IF NOT EXISTS feed (
  seller TEXT PRIMARY KEY, changed INTEGER NOT NULL, retry_at INTEGER, since INTEGER, failure TEXT,
  notices TEXT, stranger INTEGER, absent INTEGER) STRICT, WITHOUT ROWID`

const STANDING = `
CREATE TABLE IF NOT EXISTS standing (
  only INTEGER PRIMARY KEY CHECK (only = 1), value TEXT NOT NULL, last INTEGER NOT NULL, published INTEGER NOT NULL, claimed INTEGER NOT NULL,
  ${SUMS.map((name) => `${name} INTEGER NOT NULL DEFAULT 0`).join(', ')}) STRICT`

export const TABLES = [
  STANDING,
  FEED,
  'CREATE TABLE IF NOT EXISTS log (place INTEGER PRIMARY KEY, number INTEGER NOT NULL, value TEXT NOT NULL) STRICT',
  'CREATE INDEX IF NOT EXISTS feed_by_change ON feed (changed)',
  'CREATE INDEX IF NOT EXISTS feed_by_retry ON feed (retry_at) WHERE retry_at IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_by_failure ON feed (since) WHERE since IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_strangers ON feed (stranger) WHERE stranger IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_absent ON feed (absent) WHERE absent IS NOT NULL',
] as const

/** The tables of the format before, which had a row for each object of data. A coordinator that finds them begins empty. */
export const EARLIER_TABLES = ['objects', 'feed', 'standing', 'log'] as const
