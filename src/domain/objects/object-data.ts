/** The data of one object: everything that the pages of a seller are made from. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import { sortProducts } from '../catalogue/catalogue.ts'
import { formatCanonicalJson } from '../documents/json.ts'
import type { SellerPageKey } from '../documents/page-table.ts'
import { isOfCatalogue } from '../documents/page-table.ts'
import type { CataloguePage, Page } from '../pages/page.ts'
import type { SellerParts } from '../pages/seller-parts.ts'
import { SELLER_PAGES } from '../pages/page.ts'

/** Version of the data's shape. A Worker does not render objects of another version, but serves their stored HTML. */
export const FORMAT = 1

/** The products are sorted by id, because hosts may sort names differently. */
export type SellerData = SellerParts & {
  readonly kind: 'seller'
  readonly hasProfile: boolean
  /** Newest update of the seller's documents, RFC 3339 in UTC; empty when unknown. */
  readonly updated: string
}

/** Sorts the products by id. `catalogue` must have no lost photos: see lost-photos.ts. */
export function createSellerData(
  catalogue: Catalogue,
  parts: Pick<SellerData, 'pictures' | 'previews' | 'hasProfile' | 'updated'>,
): SellerData {
  const products = catalogue.products.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { kind: 'seller', catalogue: { ...catalogue, products }, ...parts }
}

/** Returns the same text for equal data. */
export function formatObjectData(data: SellerData): string {
  return formatCanonicalJson(data)
}

/** Returns `null` if the seller does not have the product. */
export function createObjectPage(data: SellerData, { kind, product }: SellerPageKey): Page | null {
  return SELLER_PAGES[kind](
    isOfCatalogue(kind) ? { ...data, catalogue: sortCatalogue(data) } : data,
    product ?? '',
  )
}

export function createCataloguePage(data: SellerData): CataloguePage {
  return { kind: 'catalogue', catalogue: sortCatalogue(data), pictures: data.pictures }
}

function sortCatalogue({ catalogue }: SellerData): Catalogue {
  return { ...catalogue, products: sortProducts(catalogue.products) }
}
