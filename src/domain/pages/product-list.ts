/** A catalogue as structured data for search engines. Source: https://schema.org/ItemList, https://schema.org/Offer */
import type { Json } from '../documents/json.ts'
import type { PageSwitches } from '../documents/page-switches.ts'
import { isPayable, roundPrice } from '../documents/price.ts'
import type { Decant, Product } from '../documents/product.ts'
import { formatPhotoUrl, formatProductLink } from './paths.ts'
import type { Site } from './site.ts'

interface ListContext {
  readonly site: Pick<Site, 'url'> & PageSwitches
  readonly seller: string
  /** Names of the decant sizes. The offer of a full bottle has no name. */
  readonly sizes: { readonly _5ml: string; readonly _10ml: string }
}

/**
 * Max products listed. Without a limit, the list would be a quarter of a large page's bytes, and search engines do not
 * show so many products.
 */
export const MOST_LISTED = 100

const IN_STOCK = 'https://schema.org/InStock'
const OUT_OF_STOCK = 'https://schema.org/OutOfStock'

/**
 * Lists the first products, in the given order. If product pages are on, the list has only addresses, because the pages
 * have the structured data. Source: https://developers.google.com/search/docs/appearance/structured-data/carousel
 */
export function createProductList(products: readonly Product[], context: ListContext): Json {
  const { site, seller } = context
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: products.slice(0, MOST_LISTED).map((product, index): Json => {
      const position = index + 1
      if (!site.productPages) return { '@type': 'ListItem', position, item: createItem(product, context) }
      return { '@type': 'ListItem', position, url: site.url + formatProductLink(site, seller, product.id) }
    }),
  }
}

// Properties are assigned one by one, because spread properties would double the time for creating a list.
function createItem(product: Product, { site, seller, sizes }: ListContext): Json {
  const { id, name, photo } = product
  const item: Record<string, Json> = {
    '@type': 'Product',
    name,
    url: site.url + formatProductLink(site, seller, id),
  }
  if (photo !== null) item['image'] = formatPhotoUrl(site, photo)
  const offers = createOffers(product, sizes)
  if (offers.length > 0) item['offers'] = offers
  return item
}

/** Returns an offer for each size with a price above 0. The offer of a full bottle has no name. */
function createOffers(product: Product, { _5ml: five, _10ml: ten }: ListContext['sizes']): readonly Json[] {
  const offers: Json[] = []
  const { price, _5ml: small, _10ml: large } = product
  if (isPayable(price)) {
    const availability = formatAvailability(product)
    offers.push({ '@type': 'Offer', price: roundPrice(price), priceCurrency: 'DOP', availability })
  }
  addDecant(offers, five, small)
  addDecant(offers, ten, large)
  return offers
}

function addDecant(offers: Json[], name: string, decant: Decant): void {
  const { price } = decant
  if (!isPayable(price)) return
  const availability = formatAvailability(decant)
  offers.push({ '@type': 'Offer', name, price: roundPrice(price), priceCurrency: 'DOP', availability })
}

function formatAvailability({ available }: Pick<Decant, 'available'>): string {
  return available ? IN_STOCK : OUT_OF_STOCK
}
