/**
 * The structured data of a product's page: a group with a variant for each size with a price above 0, and the
 * breadcrumbs.
 * Source: https://schema.org/ProductGroup,
 * https://developers.google.com/search/docs/appearance/structured-data/product-variants,
 * https://developers.google.com/search/docs/appearance/structured-data/breadcrumb
 */
import type { Json } from '../documents/json.ts'
import { isPayable, roundPrice } from '../documents/price.ts'
import type { Decant, Product } from '../documents/product.ts'
import { SOCIAL_FOLDER } from '../photos/picture.ts'
import { addSize, formatPhotoUrl } from './paths.ts'
import type { PreviewOffer, PreviewPicture } from './sharing.ts'
import type { Site } from './site.ts'

interface GroupContext {
  /** The page's absolute address. */
  readonly address: string
  /** The absolute address of a picture. Search engines do not show a product without a picture. */
  readonly image: string
  readonly description: string
  /** The seller's name. */
  readonly seller: string
  readonly sizes: { readonly bottle: string; readonly _5ml: string; readonly _10ml: string }
}

interface PicturedProduct {
  readonly product: Product
  readonly preview: PreviewPicture | null
}

/**
 * Returns the absolute address of the product's preview, or of its photo if it has no preview; `null` if it has no
 * photo. A preview in `SOCIAL_FOLDER` is not used, because it shows the seller.
 */
export function findProductImage(
  { product: { photo }, preview }: PicturedProduct,
  site: Pick<Site, 'url'>,
): string | null {
  if (photo === null) return null
  const isOwn = preview?.path.startsWith(SOCIAL_FOLDER) === false
  return isOwn ? `${site.url}/${preview.path}` : formatPhotoUrl(site, photo)
}

/**
 * Returns the price that link previews show: that of the first size that has a price and is in stock, or else of the
 * first size with a price; `null` for none.
 */
export function findOffer({ price, available, _5ml, _10ml }: Product): PreviewOffer | null {
  const offers = [{ price, available }, _5ml, _10ml].filter(isOffer)
  return offers.find((offer) => offer.available) ?? offers[0] ?? null
}

/** A price that rounds to 0 counts as none. */
function isOffer<D extends Decant>(offer: D): offer is D & PreviewOffer {
  return isPayable(offer.price)
}

type Size = { readonly code: string; readonly size: string; readonly name: string }
export type Variant = Size & PreviewOffer

/** Returns `null` for a product without a price above 0 in any size, because search engines do not show it. */
export function createProductGroup(product: Product, context: GroupContext): Json | null {
  const { id, name } = product
  const variants = listVariants(product, context.sizes)
  if (variants.length === 0) return null
  return {
    '@context': 'https://schema.org',
    '@type': 'ProductGroup',
    name,
    description: context.description,
    url: context.address,
    image: context.image,
    productGroupID: id,
    variesBy: ['https://schema.org/size'],
    hasVariant: variants.map((variant) => createVariant(id, variant, context)),
  }
}

/** Returns a variant for each size with a price above 0, the bottle first. */
export function listVariants(product: Product, sizes: GroupContext['sizes']): readonly Variant[] {
  const { name, price, available, _5ml, _10ml } = product
  const { bottle, _5ml: five, _10ml: ten } = sizes
  const variants: readonly (Size & Decant)[] = [
    { code: 'frasco', size: bottle, name, price, available },
    { code: '5ml', size: five, name: `${name} ${five}`, ..._5ml },
    { code: '10ml', size: ten, name: `${name} ${ten}`, ..._10ml },
  ]
  return variants.flatMap((variant) => (isOffer(variant) ? [variant] : []))
}

function createVariant(id: string, variant: Variant, { address, image, seller }: GroupContext): Json {
  const { code, size, name, price, available } = variant
  return {
    '@type': 'Product',
    name,
    sku: `${id}-${code}`,
    size,
    image,
    offers: {
      '@type': 'Offer',
      url: addSize(address, code),
      // Rounds to the amount that the page shows.
      price: roundPrice(price),
      priceCurrency: 'DOP',
      availability: `https://schema.org/${available ? 'InStock' : 'OutOfStock'}`,
      itemCondition: 'https://schema.org/NewCondition',
      seller: { '@type': 'Organization', name: seller },
    },
  }
}

interface Step {
  readonly name: string
  /** Absolute. */
  readonly address: string
}

/** `steps` are the pages from the home page to the page itself. */
export function createBreadcrumbs(steps: readonly Step[]): Json {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, address }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: address,
    })),
  }
}
