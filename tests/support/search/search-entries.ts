/** Entries of search files. */
import type { Product } from '../../../src/domain/documents/product.ts'
import type { SearchEntry } from '../../../src/domain/search/format-search-file.ts'

export const NO_DECANT = { price: null, available: false }

export function createProduct(id: string, name: string, parts: Partial<Product> = {}): Product {
  return { id, name, photo: null, price: 1_000, available: true, _5ml: NO_DECANT, _10ml: NO_DECANT, ...parts }
}

export function createEntry(id: string, name: string, products: readonly Product[]): SearchEntry {
  return { seller: id, name, products, photos: {} }
}
