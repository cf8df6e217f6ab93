/**
 * The photos that the pages of one run show. They are gathered in temporary tables, because a large site has more than
 * fit into memory. At the end they are stored in sorted order, because unsorted inserts would write all over the file.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { UnmadePicture } from '../../../domain/photos/sort-photos.ts'
import { IS_TIME } from './photo-queue.ts'
import { USES_INDEX } from './picture-schema.ts'

export type ProductPhoto = Omit<UnmadePicture, 'reason'>

export interface PublishedPhotos {
  /** Creates the temporary tables, or empties them. */
  beginShown(): void
  /** Adds the photos of a seller's page. `addresses` is empty for a deleted seller. */
  addShown(seller: string, addresses: readonly string[]): void
  /** Adds photos whose hosts are not permitted now. They are not fetched, but `sweep` keeps their earlier pictures. */
  addUnlisted(addresses: readonly string[]): void
  /**
   * Takes the products of one seller, and adds those whose photo has no picture. Returns the addresses of these photos.
   */
  addLacking(products: readonly ProductPhoto[], now: number): ReadonlySet<string>
  /** Stores which sellers show which photos, as added by `addShown`. New photos enter the queue. */
  keepShown(): void
  /** Returns the number of photos added by `addLacking` that still have neither a picture nor a failure. */
  countLeft(): number
  /** Returns the products added by `addLacking` whose photo failed in its last try. */
  listTroubles(): readonly UnmadePicture[]
}

const BEGIN = `
CREATE TEMP TABLE IF NOT EXISTS shown_sellers (seller TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS shown (
  seller TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (seller, address)
) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS unlisted (address TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS lacking (product TEXT NOT NULL, address TEXT NOT NULL, turn INTEGER NOT NULL);
DROP INDEX IF EXISTS temp.lacking_address;
DELETE FROM shown_sellers;
DELETE FROM shown;
DELETE FROM unlisted;
DELETE FROM lacking;
`
const ADD = 'INSERT OR IGNORE INTO shown SELECT ?, value FROM json_each(?)'
const ADD_UNLISTED = 'INSERT OR IGNORE INTO unlisted SELECT value FROM json_each(?)'
const FORGET_OTHERS = `
DELETE FROM uses WHERE seller IN (SELECT seller FROM shown_sellers)
AND NOT EXISTS (SELECT 1 FROM shown WHERE shown.seller = uses.seller AND shown.address = uses.address)`
const KEEP_USES = 'INSERT OR IGNORE INTO uses SELECT seller, address FROM shown ORDER BY seller, address'
const KEEP_PHOTOS = (shown: string): string => `
INSERT OR IGNORE INTO photos (address, due, tries, slow, source, recipe)
SELECT address, 0, 0, 0, '', '' FROM ${shown} ORDER BY address`
// `turn` numbers the photos of a seller: new ones, then those that are due, then those that are not due yet, each in
// order of due time; slow ones come last. `LIMIT` keeps SQLite from extracting the address from the JSON again at each
// use. `key` is the place in the list of products, in whose order troubles are reported.
const ADD_LACKING = `
INSERT INTO lacking
SELECT product, wanted, dense_rank() OVER (ORDER BY slow, NOT ${IS_TIME}, due, wanted)
FROM (SELECT key, value ->> 'product' AS product, value ->> 'address' AS wanted FROM json_each($products) LIMIT -1)
LEFT JOIN photos ON address = wanted WHERE picture IS NULL ORDER BY key
RETURNING address`
const INDEX_LACKING = 'CREATE INDEX temp.lacking_address ON lacking (address)'
const COUNT_LEFT = `
SELECT count(*) FROM photos
WHERE picture IS NULL AND reason IS NULL AND address IN (SELECT address FROM lacking)`
// Reads `photos` in the order of addresses, which takes a third of the time of reading it in the order of `lacking`.
const TROUBLES = `
SELECT product, address, reason FROM photos CROSS JOIN lacking USING (address)
WHERE reason IS NOT NULL AND address IN (SELECT address FROM lacking) ORDER BY lacking.rowid`

export function createPublishedPhotos(database: DatabaseSync): PublishedPhotos {
  let prepared: Adding | null = null
  const open = (): Adding => (prepared ??= prepareAdding(database))
  return {
    beginShown: () => database.exec(BEGIN),
    addShown: (seller, addresses) => {
      open().seller.run(seller)
      open().shown.run(seller, JSON.stringify(addresses))
    },
    addUnlisted: (addresses) => {
      open().unlisted.run(JSON.stringify(addresses))
    },
    addLacking: (products, $now) => {
      const rows = open().lacking.all({ $products: JSON.stringify(products), $now })
      return new Set(rows.map((row) => String(row['address'])))
    },
    keepShown: () => {
      keepPhotos(database)
      database.exec(INDEX_LACKING)
    },
    countLeft: () => readNumber(database.prepare(COUNT_LEFT)),
    listTroubles: () =>
      database
        .prepare(TROUBLES)
        .all()
        .map((row) => ({
          product: String(row['product']),
          address: String(row['address']),
          reason: String(row['reason']),
        })),
  }
}

type Adding = Readonly<Record<'seller' | 'shown' | 'unlisted' | 'lacking', StatementSync>>

// Prepares the statements once for all sellers, because preparing them for each seller would take half of the time of
// adding. The temporary tables must exist.
function prepareAdding(database: DatabaseSync): Adding {
  return {
    seller: database.prepare('INSERT OR IGNORE INTO shown_sellers VALUES (?)'),
    shown: database.prepare(ADD),
    unlisted: database.prepare(ADD_UNLISTED),
    lacking: database.prepare(ADD_LACKING),
  }
}

// If `uses` is empty, fills the table before creating its index, which is much faster than updating the index at each
// insert. The new index also lists the addresses in order, which saves sorting them.
function keepPhotos(database: DatabaseSync): void {
  const isFirst = database.prepare('SELECT 1 FROM uses LIMIT 1').get() === undefined
  if (isFirst)
    database.exec(
      `DROP INDEX uses_address; ${KEEP_USES}; ${USES_INDEX} ${KEEP_PHOTOS('uses INDEXED BY uses_address')}`,
    )
  else database.exec(`${FORGET_OTHERS}; ${KEEP_USES}; ${KEEP_PHOTOS('shown')}`)
}

/** Returns the first column of the first row; NaN if there is no row. */
function readNumber(statement: StatementSync, ...values: SQLInputValue[]): number {
  return Number(Object.values(statement.get(...values) ?? {})[0])
}
