/** Addresses of the site and the files that they serve. */
import { findIdProblem } from '../documents/page-id.ts'
import type { View } from '../catalogue/view.ts'
import { EVERYTHING, formatView } from '../catalogue/view.ts'
import type { PageSwitches } from '../documents/page-switches.ts'
import { SEARCH_PATH } from '../documents/page-table.ts'
import { formatPageFile, formatPagePath, isTakenName } from '../documents/page-address.ts'
import type { Site } from './site.ts'

/** Returns the path of the search page for a query, narrowed to a decant if one is chosen. */
export function formatSearchPath({ query, decants }: Pick<View, 'query' | 'decants'>): string {
  return SEARCH_PATH + formatView({ ...EVERYTHING, query, decants }, '')
}

/** The parameter of a product's address that chooses a size. Without it the bottle is chosen. */
export const SIZE_PARAMETER = 'tamano'

/** The picture in place of a photo. */
export const NO_PHOTO = '/sin-foto.svg'

/** Returns the absolute address of a photo, which may be a path of the site. */
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

/** Adds the choice of a size to the address of a product's page, which shows the bottle otherwise. */
export function addSize(address: string, size: string): string {
  return size === 'frasco' ? address : `${address}?${SIZE_PARAMETER}=${size}`
}

/** Returns whether product pages are on, and the product's id can be part of an address. */
export function hasProductPage(switches: PageSwitches, product: string): boolean {
  return switches.productPages && findIdProblem(product) === null && !isTakenName(product, switches)
}

/**
 * Returns the fragment of a product's address, which is also the `id` of its card. Distinct ids get distinct names. A
 * name needs no encoding in an address and equals no other element id of the page.
 */
export function formatProductAnchor(product: string): string {
  return PRODUCT_ANCHOR + product.replace(/[^A-Za-z0-9-]/g, formatCodeUnit)
}

/** Prefix of every product's name. Because of the hyphen, no script can mistake the element for a global variable. */
export const PRODUCT_ANCHOR = 'p-'

/** The fragment of a catalogue's address that opens the list of the order. No element has it as its `id`. */
export const ORDER_ANCHOR = 'pedido'

/** Prefix of the `id` of each product's heading; the position by name, from 1, follows. */
export const PRODUCT_NAME = 'n-'

// Encodes code units, since ids may contain unpaired surrogates.
function formatCodeUnit(unit: string): string {
  return `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The file of a seller's page, relative to the output folder. The id must have passed `findIdProblem`. */
export function formatCatalogueFile(seller: string): string {
  return formatPageFile({ kind: 'catalogue', seller, product: null })
}

/** The file of a product's page, relative to the output folder. Both ids must have passed `findIdProblem`. */
export function formatProductFile(seller: string, product: string): string {
  return formatPageFile({ kind: 'product', seller, product })
}
