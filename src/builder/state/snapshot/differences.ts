/** A temporary log of the documents that a read changes. It is kept only for a dry run that explains its plan. */
import type { DatabaseSync } from 'node:sqlite'
import { listTexts, readNumber } from '../sqlite/values.ts'
import type { Collection } from '../../../domain/documents/document.ts'
import type { Json } from '../../../domain/documents/json.ts'

/** A document in the snapshot: its seller and the fields of its profile or product. */
export interface DocumentState {
  readonly seller: string
  readonly fields: Readonly<Record<string, Json>>
}

/** A document that a read changed. `before` is `null` if it was added, `after` if it was removed. */
export interface DocumentDifference {
  readonly collection: Collection
  readonly id: string
  readonly before: DocumentState | null
  readonly after: DocumentState | null
}

/** The update time of a seller in the sitemap before and after a read; `null` if the seller is not listed. */
export interface ListingChange {
  readonly seller: string
  readonly before: string | null
  readonly after: string | null
}

export interface DifferenceLog {
  /**
   * Returns the first `limit` documents that the seller gained or lost, or that changed: the profile first, then by id.
   */
  read(seller: string, limit: number): readonly DocumentDifference[]
  count(seller: string): number
  /** Returns whether, before the read, this seller's pages waited for an update, or all pages for a comparison. */
  wasUnfinished(seller: string): boolean
  hasUnfinished(): boolean
  /** Returns the changes of one file of the sitemap. */
  readListing(bucket: number): readonly ListingChange[]
  readSellers(): { readonly added: readonly string[]; readonly gone: readonly string[] }
}

const TABLES = `
CREATE TEMP TABLE unfinished AS SELECT seller FROM waits;
CREATE TEMP TABLE differences (
  collection TEXT NOT NULL, id TEXT NOT NULL, old_seller TEXT, old_value TEXT, new_seller TEXT, new_value TEXT
);
CREATE INDEX temp.differences_old ON differences (old_seller);
CREATE INDEX temp.differences_new ON differences (new_seller);
CREATE TEMP TABLE old_sellers (id TEXT PRIMARY KEY, products INTEGER, updated TEXT);
`

// These triggers are not created before a first read, because the log would list every document, with nothing to
// compare it with.
const TRIGGERS = `
CREATE TEMP TRIGGER log_added AFTER INSERT ON main.entries BEGIN
  INSERT INTO differences VALUES (new.collection, new.id, NULL, NULL, new.seller, new.value);
END;
CREATE TEMP TRIGGER log_removed AFTER DELETE ON main.entries BEGIN
  INSERT INTO differences VALUES (old.collection, old.id, old.seller, old.value, NULL, NULL);
END;
CREATE TEMP TRIGGER log_changed AFTER UPDATE OF seller, value, update_time ON main.entries BEGIN
  INSERT INTO differences VALUES (old.collection, old.id, old.seller, old.value, new.seller, new.value);
END;
CREATE TEMP TRIGGER log_seller_added AFTER INSERT ON main.sellers BEGIN
  INSERT INTO old_sellers VALUES (new.id, NULL, NULL) ON CONFLICT DO NOTHING;
END;
CREATE TEMP TRIGGER log_seller_changed AFTER UPDATE ON main.sellers BEGIN
  INSERT INTO old_sellers VALUES (old.id, old.products, old.updated) ON CONFLICT DO NOTHING;
END;
`

const OF_SELLER = 'FROM differences WHERE old_seller = ?1 OR new_seller = ?1'
const LISTING = `
SELECT old.id, old.products AS old_products, old.updated AS old_updated, new.products, new.updated
FROM old_sellers AS old LEFT JOIN sellers AS new ON new.id = old.id WHERE sitemap_bucket(old.id) = ? ORDER BY 1`
const ADDED = `
SELECT id FROM old_sellers WHERE products IS NULL AND id IN (SELECT id FROM sellers) ORDER BY id`
const GONE = `
SELECT id FROM old_sellers WHERE products IS NOT NULL AND id NOT IN (SELECT id FROM sellers) ORDER BY id`

type Row = Record<string, unknown>

/** Starts the log. Must be called before the read, and at most once for a snapshot. */
export function createDifferenceLog(database: DatabaseSync): DifferenceLog {
  database.exec(TABLES)
  if (database.prepare('SELECT 1 FROM sellers LIMIT 1').get() !== undefined) database.exec(TRIGGERS)
  return {
    read: (seller, limit) =>
      database
        .prepare(`SELECT * ${OF_SELLER} ORDER BY collection DESC, id LIMIT ?2`)
        .all(seller, limit)
        .map(toDifference),
    count: (seller) => readNumber(database.prepare(`SELECT count(*) ${OF_SELLER}`), seller),
    wasUnfinished: (seller) =>
      database.prepare("SELECT 1 FROM unfinished WHERE seller IN ('', ?)").get(seller) !== undefined,
    hasUnfinished: () => database.prepare('SELECT 1 FROM unfinished LIMIT 1').get() !== undefined,
    readListing: (bucket) =>
      database
        .prepare(LISTING)
        .all(bucket)
        .map(toListingChange)
        .filter(({ before, after }) => before !== after),
    readSellers: () => ({
      added: listTexts(database.prepare(ADDED)),
      gone: listTexts(database.prepare(GONE)),
    }),
  }
}

function toDifference(row: Row): DocumentDifference {
  return {
    collection: row['collection'] === 'users' ? 'users' : 'cataloge',
    id: String(row['id']),
    before: toState(row['old_seller'], row['old_value']),
    after: toState(row['new_seller'], row['new_value']),
  }
}

function toState(seller: unknown, value: unknown): DocumentState | null {
  if (typeof seller !== 'string' || typeof value !== 'string') return null
  return { seller, fields: JSON.parse(value) as DocumentState['fields'] }
}

function toListingChange(row: Row): ListingChange {
  return {
    seller: String(row['id']),
    before: Number(row['old_products']) > 0 ? String(row['old_updated']) : null,
    after: Number(row['products']) > 0 ? String(row['updated']) : null,
  }
}
