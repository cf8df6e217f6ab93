/** Reads which sellers have pages in the record, and which. */
import type { DatabaseSync } from 'node:sqlite'
import type { RecordFiles } from './record.ts'

// Queries name an index where a plan without it would scan every row; SQLite then fails instead.
const STALE = `
SELECT seller FROM files INDEXED BY files_generation WHERE generation < ? AND seller IS NOT NULL AND kind = 'page'
UNION SELECT seller FROM files INDEXED BY files_unsure WHERE unsure = 1 AND seller IS NOT NULL ORDER BY 1`
const SELLERS = `
SELECT DISTINCT seller FROM files INDEXED BY files_seller WHERE seller IS NOT NULL ORDER BY seller`
const PAGES = 'SELECT path FROM files INDEXED BY files_seller WHERE seller = ? ORDER BY path'

type SellerReads = Pick<RecordFiles, 'readStaleSellers' | 'readSellers' | 'readPages'>

export function createSellerReads(database: DatabaseSync): SellerReads {
  const pages = database.prepare(PAGES)
  return {
    readStaleSellers: (generation) =>
      database
        .prepare(STALE)
        .all(generation)
        .map((row) => String(row['seller'])),
    readSellers: () =>
      database
        .prepare(SELLERS)
        .all()
        .map((row) => String(row['seller'])),
    readPages: (seller) => pages.all(seller).map((row) => String(row['path'])),
  }
}
