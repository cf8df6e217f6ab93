/**
 * A product of its own page as structured data: a group with a variant for each size that has a price.
 * Source: https://schema.org/ProductGroup, https://developers.google.com/search/docs/appearance/structured-data/product-variants
 */
import type { Json } from '../documents/json.ts'
import { formatPrice, parseFormattedPrice } from '../documents/price.ts'
import type { Decant, Product } from '../documents/product.ts'
import type { ProductPage } from './page.ts'
import { formatPhotoUrl } from './paths.ts'
import type { Site } from './site.ts'

export interface GroupContext {
  /** The page's absolute address. */
  readonly address: string
  /** The absolute address of a picture: without one, search engines show no product. */
  readonly image: string
  /** The seller's name. */
  readonly seller: string
  readonly sizes: { readonly bottle: string; readonly _5ml: string; readonly _10ml: string }
}

/** Returns the absolute address of a product's picture; `null` if it has none. */
export function findProductImage(
  { product: { photo }, preview }: Pick<ProductPage, 'product' | 'preview'>,
  site: Pick<Site, 'url'>,
): string | null {
  if (preview !== null) return `${site.url}/${preview.path}`
  return photo === null ? null : formatPhotoUrl(site, photo)
}

type Variant = { readonly size: string; readonly name: string } & Decant

/** Returns `null` for a product without any price, of which search engines show nothing. */
export function createProductGroup(product: Product, context: GroupContext): Json | null {
  const { id, name } = product
  const variants = listVariants(product, context).filter(({ price }) => price !== null)
  if (variants.length === 0) return null
  return {
    '@context': 'https://schema.org',
    '@type': 'ProductGroup',
    name,
    url: context.address,
    image: context.image,
    productGroupID: id,
    variesBy: ['https://schema.org/size'],
    hasVariant: variants.map((variant) => createVariant(id, variant, context)),
  }
}

function listVariants(product: Product, { sizes }: GroupContext): readonly Variant[] {
  const { name, price, available, _5ml, _10ml } = product
  const { bottle, _5ml: five, _10ml: ten } = sizes
  return [
    { size: bottle, name, price, available },
    { size: five, name: `${name} ${five}`, ..._5ml },
    { size: ten, name: `${name} ${ten}`, ..._10ml },
  ]
}

function createVariant(id: string, { size, name, price, available }: Variant, context: GroupContext): Json {
  const { address, image, seller } = context
  return {
    '@type': 'Product',
    name,
    sku: `${id}-${size.toLowerCase()}`,
    size,
    image,
    offers: {
      '@type': 'Offer',
      url: address,
      // As the page shows it: rounded, and never with an exponent.
      price: parseFormattedPrice(formatPrice(price)),
      priceCurrency: 'DOP',
      availability: `https://schema.org/${available ? 'InStock' : 'OutOfStock'}`,
      seller: { '@type': 'Organization', name: seller },
    },
  }
}
