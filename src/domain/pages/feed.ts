/**
 * A seller's products for shops of Google and Meta, as RSS 2.0: an item for each size with a price above 0. Products
 * without such a price, a suitable photo or a suitable id are left out. Sources:
 * https://support.google.com/merchants/answer/7052112,
 * https://developers.facebook.com/docs/commerce-platform/catalog/fields
 */
import type { Catalogue } from '../catalogue/catalogue.ts'
import { createSummary } from '../catalogue/summary.ts'
import { escapeXml } from '../documents/escape.ts'
import { roundPrice } from '../documents/price.ts'
import type { Product } from '../documents/product.ts'
import type { LeftOut } from '../messages.ts'
import {
  DECANT_SIZES,
  formatCatalogueLink,
  formatDescription,
  formatLeftOut,
  formatTitle,
  FULL_BOTTLE,
} from '../messages.ts'
import { formatJpegTransformation, JPEG_SIDE } from '../photos/transformations.ts'
import type { SellerParts } from './seller-parts.ts'
import { addSize, formatCataloguePath, formatProductLink, hasProductPage } from './paths.ts'
import type { Variant } from './product-group.ts'
import { listVariants } from './product-group.ts'
import type { PreviewPicture } from './sharing.ts'
import type { Site } from './site.ts'

export type FeedPage = {
  readonly kind: 'feed'
  /** Its products are in the order of the catalogue's page. */
  readonly catalogue: Catalogue
  /** The photos as JPEG, by the photo's address. Photos that are too small, or have no JPEG, are left out. */
  readonly previews: Readonly<Record<string, PreviewPicture>>
}

const SIZES = { bottle: FULL_BOTTLE, ...DECANT_SIZES }

/**
 * The stricter limit of Google and Meta in each case: min pixels of the shorter side of a photo, max characters of a
 * title, and max characters of an address.
 */
const LEAST_SIDE = 500
const MAX_TITLE = 150
const MAX_ADDRESS = 2_000
/**
 * Product ids that fit into a feed. The id of an item consists of the product's id and a size, and may have at most 50
 * characters. White space is excluded, because the shops would remove it and so change the id.
 */
const ID = /^\S{1,43}$/

export function createFeedPage({ catalogue, pictures, previews }: SellerParts): FeedPage {
  const photos = new Set(catalogue.products.flatMap(({ photo }) => photo ?? []))
  const found = [...photos].flatMap((photo) => {
    const jpeg = findJpeg(photo, { pictures, previews })
    return jpeg === null ? [] : [[photo, jpeg] as const]
  })
  return { kind: 'feed', catalogue, previews: Object.fromEntries(found) }
}

function findJpeg(
  photo: string,
  { pictures, previews }: Pick<SellerParts, 'pictures' | 'previews'>,
): PreviewPicture | null {
  if (pictures.photos.get(photo)?.type === null)
    return { path: formatJpegTransformation(photo), width: JPEG_SIDE, height: JPEG_SIDE }
  const preview = previews[photo]
  if (preview === undefined || Math.min(preview.width, preview.height) < LEAST_SIDE) return null
  return { path: preview.path, width: preview.width, height: preview.height }
}

export function formatFeed({ catalogue, previews }: FeedPage, site: Site): string {
  const { seller, name, products } = catalogue
  const left = { photo: 0, price: 0, id: 0 }
  const items = products.flatMap((product): readonly string[] => {
    const image = formatImage(previews[product.photo ?? ''], site)
    const variants = listVariants(product, SIZES)
    const reason = findReason(product, { image, variants })
    if (reason !== null) left[reason] += 1
    if (reason !== null || image === null) return []
    return variants.map((variant) => formatItem(product, variant, { catalogue, site, image }))
  })
  const comment = formatLeftOut(left)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>',
    formatElement('title', formatTitle(name, site.name)),
    formatElement('link', site.url + formatCataloguePath(seller)),
    formatElement('description', formatDescription(createSummary(products))),
    ...items,
    ...(comment === '' ? [] : [`<!-- ${comment} -->`]),
    '</channel></rss>\n',
  ].join('\n')
}

function formatImage(preview: PreviewPicture | undefined, { url }: Site): string | null {
  const address = preview === undefined ? null : `${url}/${preview.path}`
  return address === null || address.length > MAX_ADDRESS ? null : address
}

/** Returns why a product is not in the feed, `null` if it is. */
function findReason(
  { id }: Product,
  { image, variants }: { readonly image: string | null; readonly variants: readonly Variant[] },
): keyof LeftOut | null {
  if (variants.length === 0) return 'price'
  if (image === null) return 'photo'
  return ID.test(id) ? null : 'id'
}

interface ItemContext extends Pick<FeedPage, 'catalogue'> {
  readonly site: Site
  readonly image: string
}

function formatItem(product: Product, variant: Variant, { catalogue, site, image }: ItemContext): string {
  const { id } = product
  const { code, size, price, available } = variant
  const address = site.url + formatProductLink(site, catalogue.seller, id)
  const end = code === 'frasco' ? '' : ` ${size}`
  const title = cutText(product.name, MAX_TITLE - end.length) + end
  const fields = {
    id: `${id}-${code}`,
    title,
    // The product's own description has the price and the stock of the bottle.
    description: `${title}. ${formatCatalogueLink(catalogue.name)}.`,
    link: hasProductPage(site, id) ? addSize(address, code) : address,
    image_link: image,
    availability: available ? 'in stock' : 'out of stock',
    price: `${roundPrice(price).toFixed(2)} DOP`,
    condition: 'new',
    item_group_id: id,
    size,
    identifier_exists: 'no',
  }
  const elements = Object.entries(fields).map(([name, text]) => formatElement(`g:${name}`, text))
  return `<item>${elements.join('')}</item>`
}

/** Cuts a text to at most `most` code units without splitting a surrogate pair. */
function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function formatElement(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`
}
