/** Reads sellers and their catalogues from the state. */
import type { DatabaseSync } from 'node:sqlite'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { createCatalogue } from '../../domain/catalogue/catalogue.ts'
import type { Product } from '../../domain/documents/product.ts'
import type { Profile } from '../../domain/documents/seller.ts'

export interface CatalogueReads {
  /**
   * Returns the catalogue with at most `mostProducts` products, the first by id; `null` if the seller has no document.
   */
  readCatalogue(seller: string, mostProducts: number): Catalogue | null
  hasSeller(seller: string): boolean
}

const PRODUCTS = `
SELECT value FROM entries WHERE seller = ? AND collection = 'cataloge' ORDER BY id LIMIT ?`
const PROFILE = "SELECT value FROM entries WHERE seller = ?1 AND collection = 'users' AND id = ?1"

export function createCatalogueReads(database: DatabaseSync): CatalogueReads {
  const readProducts = database.prepare(PRODUCTS)
  // With rows as arrays, reading a catalogue takes a sixth less time than with objects.
  readProducts.setReturnArrays(true)
  const readProfile = database.prepare(PROFILE)
  const exists = database.prepare('SELECT 1 FROM sellers WHERE id = ?')
  return {
    // The casts are safe, because documents were validated before they were written.
    readCatalogue: (seller, mostProducts) => {
      const rows = readProducts.all(seller, mostProducts) as unknown as readonly (readonly [string])[]
      const found = readProfile.get(seller)?.['value']
      const profile = found === undefined ? null : (JSON.parse(String(found)) as Profile)
      if (rows.length === 0 && profile === null) return null
      const products = rows.map(([value]) => JSON.parse(value) as Product)
      return createCatalogue(seller, profile, products)
    },
    hasSeller: (seller) => exists.get(seller) !== undefined,
  }
}
