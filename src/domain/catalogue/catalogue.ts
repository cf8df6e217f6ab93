/** The data of a seller's catalogue page, with the products in the default order. */
import type { Product } from '../documents/product.ts'
import type { Profile } from '../documents/seller.ts'
import { formatSellerName } from '../documents/seller.ts'

export type Catalogue = {
  readonly seller: string
  readonly name: string
  /** The seller's number for orders, as links to `wa.me` need it: digits with the country code. `null` for none. */
  readonly whatsapp: string | null
  readonly products: readonly Product[]
}

const names = new Intl.Collator('es')

export function createCatalogue(
  seller: string,
  profile: Profile | null,
  products: readonly Product[],
): Catalogue {
  return {
    seller,
    name: formatSellerName(profile),
    whatsapp: profile?.whatsapp ?? null,
    products: sortProducts(products),
  }
}

/** Sorts by name in Spanish order, ties by document id. */
export function sortProducts(products: readonly Product[]): readonly Product[] {
  return products.toSorted(compareProducts)
}

function compareProducts(a: Product, b: Product): number {
  return names.compare(a.name, b.name) || (a.id < b.id ? -1 : 1)
}
