/** Makes objects of generated sellers from their documents, with the function that the Worker and builders use. */
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { DEFAULT_MAX_PRODUCTS } from '../../../src/domain/catalogue/product-limit.ts'
import type { DataFacts } from '../../../src/domain/objects/data-facts.ts'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { createSellerObject } from '../../../src/edge/intake/create-object-data.ts'
import { makeSeller } from '../made-sellers.ts'

interface MadeObject {
  readonly name: string
  readonly data: SellerData
}

export const PRODUCTS_EACH = 3

/** Facts of a site without public files and pictures. */
export const NO_FACTS: DataFacts = {
  maxProducts: DEFAULT_MAX_PRODUCTS,
  publicFiles: [],
  pictures: { mode: 'off', hosts: { names: [], origins: [] }, makesPreviews: true },
}

/** Returns the documents of a generated seller. Unless `price` is `null`, it replaces the first product's price. */
export function listDocuments(
  number: number,
  price: number | null,
): { readonly id: string; readonly documents: readonly SourceDocument[] } {
  const { id, profile, products } = makeSeller(number, PRODUCTS_EACH)
  const priced = products.map((document, index) =>
    index > 0 || price === null ? document : { ...document, data: { ...(document.data as object), price } },
  )
  return { id, documents: [...(profile === null ? [] : [profile]), ...priced] }
}

/** Returns the object of a generated seller. Equal arguments give equal objects. */
export function createObject(number: number, price: number | null = null): MadeObject {
  const { id, documents } = listDocuments(number, price)
  const data = createSellerObject(id, documents, { facts: NO_FACTS, old: null })
  if (data === null) throw new Error(`the generated seller ${id} cannot be shown`)
  return { name: id, data }
}
