/** The objects of generated sellers, as a builder makes them of their documents. */
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { parseDocument } from '../../../src/domain/documents/parse-document.ts'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { createSellerData } from '../../../src/domain/objects/object-data.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { createSeller } from '../made-sellers.ts'

export interface MadeObject {
  readonly name: string
  readonly data: SellerData
}

/** Products of each seller. */
export const PRODUCTS = 3

/** With `price`, the first product has this price. The same numbers always give the same object. */
export function createObject(number: number, price: number | null = null): MadeObject {
  const { id, profile, products } = createSeller(number, PRODUCTS)
  const entries = [...(profile === null ? [] : [profile]), ...products].map(parse)
  const found = entries.find((entry) => entry.kind === 'profile')
  const parsed = entries.flatMap((entry) => (entry.kind === 'product' ? [entry.product] : []))
  const priced = parsed.map((product, index) =>
    index === 0 && price !== null ? { ...product, price } : product,
  )
  const times = [profile, ...products].map((document) => document?.updateTime ?? '')
  const data = createSellerData(createCatalogue(id, found?.profile ?? null, priced), {
    pictures: NO_PICTURES,
    previews: {},
    hasProfile: profile !== null,
    updated: times.toSorted().at(-1) ?? '',
  })
  return { name: id, data }
}

function parse(document: SourceDocument): NonNullable<ReturnType<typeof parseDocument>> {
  const entry = parseDocument(document, () => {})
  if (entry === null) throw new Error(`the generated document ${document.id} cannot be shown`)
  return entry
}
