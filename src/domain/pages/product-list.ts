/** A catalogue as structured data for search engines. Source: https://schema.org/ItemList, https://schema.org/Offer */
import type { Json } from '../documents/json.ts'
import type { Decant, Product } from '../documents/product.ts'
import { formatProductLink } from './paths.ts'
import type { Site } from './site.ts'

export interface ListContext {
  readonly site: Pick<Site, 'url' | 'productPages'>
  readonly seller: string
  /** Names of the decant sizes. The offer of a full bottle has no name. */
  readonly sizes: { readonly _5ml: string; readonly _10ml: string }
}

/** Max products listed: more cost a quarter of a large page's bytes, and search engines do not show them. */
export const MOST_LISTED = 100

/**
 * Lists the first products in page order. Where products have pages, their structured data is there, and the list has
 * their addresses only. Source: https://developers.google.com/search/docs/appearance/structured-data/carousel
 */
export function createProductList(products: readonly Product[], context: ListContext): Json {
  const { site, seller } = context
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: products.slice(0, MOST_LISTED).map((product, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      ...(site.productPages
        ? { url: site.url + formatProductLink(site, seller, product.id) }
        : { item: createItem(product, context) }),
    })),
  }
}

/** With one offer for each size that has a price. */
function createItem(product: Product, { site, seller, sizes }: ListContext): Json {
  const { url } = site
  const { id, name, photo, _5ml, _10ml } = product
  const { _5ml: five, _10ml: ten } = sizes
  const offers = [
    ...createOffers({}, product),
    ...createOffers({ name: five }, _5ml),
    ...createOffers({ name: ten }, _10ml),
  ]
  return {
    '@type': 'Product',
    name,
    url: url + formatProductLink(site, seller, id),
    ...(photo !== null && { image: photo.startsWith('/') ? url + photo : photo }),
    ...(offers.length > 0 && { offers }),
  }
}

function createOffers(size: Readonly<Record<string, string>>, { price, available }: Decant): readonly Json[] {
  if (price === null) return []
  const availability = `https://schema.org/${available ? 'InStock' : 'OutOfStock'}`
  return [{ '@type': 'Offer', ...size, price, priceCurrency: 'DOP', availability }]
}
