/** Addresses of the site's pages and photos, and the files of pages. */
import { findIdProblem } from '../documents/page-id.ts'
import type { View } from '../catalogue/view.ts'
import { EVERYTHING, formatView } from '../catalogue/view.ts'
import type { PageSwitches } from '../documents/page-switches.ts'
import { SEARCH_PATH } from '../documents/page-table.ts'
import type { Product } from '../documents/product.ts'
import { formatPageFile, formatPagePath, isTakenName } from '../documents/page-address.ts'
import type { Picture } from '../photos/picture.ts'
import type { Site } from './site.ts'

/** Returns the path of the search page for a query, narrowed to a decant if one is chosen. */
export function formatSearchPath({ query, decants }: Pick<View, 'query' | 'decants'>): string {
  return SEARCH_PATH + formatView({ ...EVERYTHING, query, decants }, '')
}

/**
 * The parameter of a product's address that chooses a size. Without it, the first size that can be ordered is chosen.
 */
export const SIZE_PARAMETER = 'tamano'

/** The picture that is shown for a product without a photo. */
export const NO_PHOTO = '/sin-foto.svg'

/**
 * Returns the address for browsers that support none of the picture's formats: its JPEG, or the photo as it was
 * uploaded, or the drawn bottle if there is no photo.
 */
export function findFallback({ photo }: Pick<Product, 'photo'>, picture: Picture | null): string {
  return picture?.fallback === undefined ? (photo ?? NO_PHOTO) : `/${picture.fallback}`
}

/** Returns the absolute address of a photo. `photo` is a path of the site, or is already absolute. */
export function formatPhotoUrl({ url }: Pick<Site, 'url'>, photo: string): string {
  return photo.startsWith('/') ? url + photo : photo
}

/** `/catalogo/<id>`, encoded for a link. Source: docs/specification.md, Screens. */
export function formatCataloguePath(seller: string): string {
  return formatPagePath({ kind: 'catalogue', seller, product: null })
}

/** `/catalogo/<seller>/<product>`, encoded for a link. */
export function formatProductPath(seller: string, product: string): string {
  return formatPagePath({ kind: 'product', seller, product })
}

/** Returns the path of a product's page, or of its card on the catalogue if it has no page. */
export function formatProductLink(site: PageSwitches, seller: string, product: string): string {
  return hasProductPage(site, product)
    ? formatProductPath(seller, product)
    : `${formatCataloguePath(seller)}#${formatProductAnchor(product)}`
}

/**
 * Adds a size to the address of a product's page. Adds nothing for the bottle, which the page chooses first if it can
 * be ordered.
 */
export function addSize(address: string, size: string): string {
  return size === 'frasco' ? address : `${address}?${SIZE_PARAMETER}=${size}`
}

/** Returns whether product pages are on, and the product's id can be part of an address. */
export function hasProductPage(switches: PageSwitches, product: string): boolean {
  return switches.productPages && findIdProblem(product) === null && !isTakenName(product, switches)
}

/**
 * Returns the fragment of a product's address, which is also the `id` of its card. Distinct product ids have distinct
 * fragments. A fragment needs no encoding in an address and equals no other element id of the page.
 */
export function formatProductAnchor(product: string): string {
  return PRODUCT_ANCHOR + product.replace(/[^A-Za-z0-9-]/g, formatCodeUnit)
}

/** Returns the product's id from its fragment. */
export function parseProductAnchor(anchor: string): string {
  return anchor
    .slice(PRODUCT_ANCHOR.length)
    .replace(/_(....)/g, (_, code) => String.fromCharCode(parseInt(code, 16)))
}

/**
 * Prefix of every product's fragment. Browsers expose an element as a global variable named by its `id`. A name with a
 * hyphen cannot collide with a variable of a script.
 */
export const PRODUCT_ANCHOR = 'p-'

/** The fragment of a catalogue's address that opens the visitor's order. No element has it as its `id`. */
export const ORDER_ANCHOR = 'pedido'

/**
 * Prefix of the `id` of the heading on a product's card. The prefix is followed by the position of the product on the
 * page, counted from 1.
 */
export const PRODUCT_NAME = 'n-'

// Encodes code units, since ids may contain unpaired surrogates.
function formatCodeUnit(unit: string): string {
  return `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns the file of a seller's catalogue, relative to the output folder. The id must have passed `findIdProblem`. */
export function formatCatalogueFile(seller: string): string {
  return formatPageFile({ kind: 'catalogue', seller, product: null })
}

/** Returns the file of a product's page, relative to the output folder. Both ids must have passed `findIdProblem`. */
export function formatProductFile(seller: string, product: string): string {
  return formatPageFile({ kind: 'product', seller, product })
}

/**
 * Returns where all pages of a seller lie: the file of her catalogue, and the folder beside it, which ends with a slash,
 * so that the place of `ana` is not that of `anabel`. The id must have passed `findIdProblem`.
 */
export function findSellerPlace(seller: string): { readonly file: string; readonly folder: string } {
  const file = formatCatalogueFile(seller)
  return { file, folder: file.replace(/\.html$/, '/') }
}
