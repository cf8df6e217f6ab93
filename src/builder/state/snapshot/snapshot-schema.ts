/** The snapshot's tables. Triggers maintain the totals and list the sellers whose entries change. */
// Triggers use `ON CONFLICT`, because the outer statement's conflict clause would override `INSERT OR IGNORE` in them.
// Source: https://sqlite.org/lang_createtrigger.html

import { LEAST_MAX_PRODUCTS } from '../../../domain/catalogue/product-limit.ts'
import { COMPARE_FIRST, WAITS_SCHEMA } from './waits-sql.ts'

/** Increase this when the tables change. A snapshot of another version is rebuilt from the source. */
export const SNAPSHOT_VERSION = 9

/**
 * Page size of the file in bytes. A seller's entries fill several of SQLite's default pages; larger pages make a first
 * read 13 % faster.
 */
export const SNAPSHOT_PAGE = 16_384

const COUNT_IN = `
  INSERT INTO sellers
  VALUES (new.seller, 1, new.collection = 'cataloge', sitemap_bucket(new.seller), new.update_time)
  ON CONFLICT DO UPDATE SET entries = entries + 1, products = products + excluded.products,
    updated = max(updated, excluded.updated);`
const COUNT_OUT = `
  UPDATE sellers SET entries = entries - 1, products = products - (old.collection = 'cataloge')
  WHERE id = old.seller;`
const TOUCH = (sellers: string): string => `INSERT INTO touched VALUES ${sellers} ON CONFLICT DO NOTHING;`

/**
 * Sets the newest update time of each touched seller, once before a change is committed. A trigger would search all
 * rows of a seller for each changed row.
 */
export const RENEW_UPDATED = `
UPDATE sellers SET updated =
  (SELECT coalesce(max(update_time), '') FROM entries INDEXED BY entries_seller WHERE seller = sellers.id)
WHERE id IN (SELECT seller FROM touched);`

// A covering index: a seller's entries are adjacent in it, but scattered in the table.
const SELLER_INDEX = 'CREATE INDEX entries_seller ON entries (seller, id, collection, update_time, value);'

const TRIGGERS = `
CREATE TRIGGER entry_added AFTER INSERT ON entries BEGIN
  ${TOUCH('(new.seller)')}
  UPDATE totals SET value = value + 1 WHERE name = new.collection;
  ${COUNT_IN}
END;
CREATE TRIGGER entry_removed AFTER DELETE ON entries BEGIN
  ${TOUCH('(old.seller)')}
  UPDATE totals SET value = value - 1 WHERE name = old.collection;
  ${COUNT_OUT}
END;
CREATE TRIGGER entry_changed AFTER UPDATE OF seller, value, update_time ON entries BEGIN
  ${TOUCH('(old.seller), (new.seller)')}
END;
CREATE TRIGGER entry_moved AFTER UPDATE OF seller ON entries WHEN old.seller <> new.seller BEGIN
  ${COUNT_IN}
  ${COUNT_OUT}
END;
CREATE TRIGGER seller_added AFTER INSERT ON sellers BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'sellers';
END;
CREATE TRIGGER seller_removed AFTER DELETE ON sellers BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'sellers';
END;
`

/** The tables of documents. A part of the snapshot has only these tables: see snapshot-part.ts. */
export const PART_SCHEMA = `
CREATE TABLE entries (
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  seller TEXT NOT NULL,
  value TEXT NOT NULL,
  -- RFC 3339 in UTC, empty if unknown.
  update_time TEXT NOT NULL,
  -- Hash of the text in the source; empty if the source has none, or the document has problems to report.
  text_hash TEXT NOT NULL,
  PRIMARY KEY (collection, id)
) WITHOUT ROWID;
CREATE TABLE problems (
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  field TEXT NOT NULL,
  reason TEXT NOT NULL,
  fatal INTEGER NOT NULL,
  seller TEXT,
  PRIMARY KEY (collection, id, field)
) WITHOUT ROWID;
`

/** Triggers call `sitemap_bucket(seller)`, which the connection must define. */
export const SNAPSHOT_SCHEMA = `
${PART_SCHEMA}
${SELLER_INDEX}
CREATE INDEX problems_seller ON problems (seller);

-- Number of entries per seller. Sellers without entries are deleted before a change is committed.
CREATE TABLE sellers (
  id TEXT PRIMARY KEY,
  entries INTEGER NOT NULL,
  products INTEGER NOT NULL,
  -- Number of the sitemap file that lists it.
  bucket INTEGER NOT NULL,
  -- The newest update time of its entries.
  updated TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sellers_empty ON sellers (id) WHERE entries = 0;
CREATE INDEX sellers_listed ON sellers (bucket, id) WHERE products > 0;
-- The few who may have more products than are shown.
CREATE INDEX sellers_large ON sellers (products) WHERE products > ${LEAST_MAX_PRODUCTS};
${WAITS_SCHEMA}-- Entries that the source lacks, or has without a price, and that stay as they were. Milliseconds since 1970.
CREATE TABLE held (
  collection TEXT NOT NULL, id TEXT NOT NULL, seller TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (collection, id)
) WITHOUT ROWID;
CREATE TABLE totals (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO totals VALUES ('sellers', 0), ('users', 0), ('cataloge', 0);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

${TRIGGERS}`

const DROP_TRIGGERS = [...TRIGGERS.matchAll(/CREATE TRIGGER (\w+)/g)]
  .map(([, name]) => `DROP TRIGGER ${name};`)
  .join(' ')

/**
 * SQL that runs before and after a first read, whose documents are inserted into `entries` directly. Totals, sellers
 * and the index are then computed at once, in a third of the time that triggers take row by row.
 */
export const BEGIN_FILLING = `DROP INDEX entries_seller; ${DROP_TRIGGERS}`
export const END_FILLING = `
${SELLER_INDEX}
INSERT INTO sellers
  SELECT seller, count(*), sum(collection = 'cataloge'), sitemap_bucket(seller), max(update_time)
  FROM entries GROUP BY seller;
${COMPARE_FIRST}
UPDATE totals SET value = CASE name
  WHEN 'sellers' THEN (SELECT count(*) FROM sellers)
  WHEN 'users' THEN (SELECT coalesce(sum(entries - products), 0) FROM sellers)
  ELSE (SELECT coalesce(sum(products), 0) FROM sellers) END;
${TRIGGERS}`

/** Temporary tables that hold one read from a source before it is compared with the entries. */
export const INCOMING_SCHEMA = `
CREATE TEMP TABLE IF NOT EXISTS incoming (
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  seller TEXT NOT NULL,
  value TEXT NOT NULL,
  update_time TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  PRIMARY KEY (collection, id)
) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS scope_sellers (seller TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS scope_documents (
  collection TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (collection, id)
) WITHOUT ROWID;
-- What was held back before the read.
CREATE TEMP TABLE IF NOT EXISTS known_held (
  collection TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (collection, id)
) WITHOUT ROWID;
DELETE FROM known_held;
DELETE FROM incoming;
DELETE FROM scope_sellers;
DELETE FROM scope_documents;
`
