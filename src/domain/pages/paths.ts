/** Addresses of the site and the files that answer them. */

/** `/catalogo/<id>`, encoded for a link. Source: docs/design.md, Screens. */
export function formatCataloguePath(seller: string): string {
  return `/catalogo/${encodeURIComponent(seller)}`
}

/**
 * The name of a product's place in its catalogue: the fragment of its address and the `id` of its card. Each id has a
 * name of its own, whatever it is made of, that no address needs to encode and nothing else on a page can have.
 */
export function formatProductAnchor(product: string): string {
  return PRODUCT_ANCHOR + product.replace(/[^A-Za-z0-9-]/g, formatCodeUnit)
}

/** What the names of products begin with. With its hyphen no script takes one for a variable. */
export const PRODUCT_ANCHOR = 'p-'

// By code units, since ids may hold halves of surrogate pairs.
function formatCodeUnit(unit: string): string {
  return `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The file of a seller's page, relative to the output folder. The id is trusted: see `findIdProblem`. */
export function formatCatalogueFile(seller: string): string {
  return `catalogo/${seller}.html`
}
