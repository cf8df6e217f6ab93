/** Creates the pages of one seller from her catalogue and its pictures. */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { formatPageFile } from '../../domain/documents/page-address.ts'
import { findScope, isOn, listSellerKinds } from '../../domain/documents/page-table.ts'
import type { PictureFinder } from '../../domain/pages/find-pictures.ts'
import type { Page } from '../../domain/pages/page.ts'
import { SELLER_PAGES } from '../../domain/pages/page.ts'
import { hasProductPage } from '../../domain/pages/paths.ts'
import type { Site } from '../../domain/pages/site.ts'

export interface WantedPage {
  readonly path: string
  /** Returns `null` if the page should not exist. */
  readonly create: () => Page | null
}

/**
 * Yields one page at a time, in the order of the table of page kinds: the catalogue comes last, so that the pages that
 * it links to exist before it.
 */
export function* createSellerPages(
  catalogue: Catalogue,
  { site, pictures }: { readonly site: Site; readonly pictures: PictureFinder },
): Generator<WantedPage> {
  const { seller, products } = catalogue
  const shared = pictures.find(catalogue)
  for (const kind of listSellerKinds().filter((one) => isOn(one, site))) {
    if (findScope(kind) === 'seller') {
      const path = formatPageFile({ kind, seller, product: null })
      yield { path, create: () => SELLER_PAGES[kind]({ catalogue, ...shared }, '') }
      continue
    }
    for (const product of products) {
      if (!hasProductPage(site, product.id)) continue
      // With only this product, because finding it among all takes quadratic time.
      const parts = { catalogue: { ...catalogue, products: [product] }, ...shared }
      const path = formatPageFile({ kind, seller, product: product.id })
      yield { path, create: () => SELLER_PAGES[kind](parts, product.id) }
    }
  }
}
