/** Addresses of the site and the files that answer them. */

/** `/catalogo/<id>`, encoded for a link. Source: specification, section 2. */
export function formatCataloguePath(seller: string): string {
  return `/catalogo/${encodeURIComponent(seller)}`
}

/** The file of a seller's page, relative to the output folder. The id is trusted: see `findIdProblem`. */
export function formatCatalogueFile(seller: string): string {
  return `catalogo/${seller}.html`
}
