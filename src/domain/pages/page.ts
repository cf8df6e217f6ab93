/** The data of one page. A page's bytes depend only on this data, the settings and the code. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import type { DecantChoice } from '../catalogue/view.ts'
import type { Product, ProductSeller } from '../documents/product.ts'
import type { CataloguePictures, Picture } from '../photos/picture.ts'
import type { SearchAnswer } from './found-products.ts'
import type { PreviewPicture } from './sharing.ts'
import type { Site } from './site.ts'
import type { SitemapPage } from './sitemap.ts'

export type HomePage = {
  readonly kind: 'home'
  /** The sample stores with a catalogue, to which their cards link. */
  readonly stores: readonly string[]
  /** Path of the picture in the page's link preview. */
  readonly social: string | null
}
export type CataloguePage = {
  readonly kind: 'catalogue'
  readonly catalogue: Catalogue
  readonly pictures: CataloguePictures
}
export type ProductPage = {
  readonly kind: 'product'
  readonly product: Product
  readonly seller: ProductSeller & Pick<Catalogue, 'whatsapp'>
  /** The whole photo in large sizes, else in those of cards; `null` for none. */
  readonly picture: Picture | null
  /** Path of the picture in the page's link preview; `null` for none. */
  readonly preview: PreviewPicture | null
}
/** What the address of a product shows that the seller does not have, or has no more. */
export type UnknownProductPage = { readonly kind: 'unknown-product'; readonly seller: ProductSeller }
export type UnknownCataloguePage = { readonly kind: 'unknown-catalogue'; readonly catalogue: Catalogue }
type NotFoundPage = { readonly kind: 'not-found' }
/** What all catalogues have for a query. Rendered when it is asked for, and never a file. */
export type SearchPage = {
  readonly kind: 'search'
  /** As `cleanQuery` returns it; empty if nothing was asked. */
  readonly query: string
  /** The decant that all products found have. */
  readonly decants: DecantChoice
  /** `null` if nothing was asked or found out. */
  readonly answer: SearchAnswer | null
  /** Why there is no answer. `busy`: the visitor asks too often. `failed`: the index does not answer. */
  readonly notice: 'none' | 'busy' | 'failed'
}

/** Pages that Astro renders. */
export type ScreenPage =
  | HomePage
  | CataloguePage
  | ProductPage
  | UnknownProductPage
  | UnknownCataloguePage
  | NotFoundPage
  | SearchPage
export type Page = ScreenPage | SitemapPage
export type PageKind = ScreenPage['kind']

/** The type of `Astro.locals`. */
export type PageLocals = { readonly site: Site; readonly page: ScreenPage }

/** The catalogue screen for an unknown seller. Source: docs/design.md, Errors. */
export function createUnknownCataloguePage(): UnknownCataloguePage {
  return { kind: 'unknown-catalogue', catalogue: createCatalogue('', null, []) }
}

/** Returns the page of the expected kind; throws for any other, which is a bug in the caller. */
export function readPage<K extends PageKind>(locals: PageLocals, kind: K): Extract<ScreenPage, { kind: K }> {
  const { page } = locals
  if (!isKind(page, kind)) throw new Error(`expected the data of a ${kind} page, got ${page.kind}`)
  return page
}

function isKind<K extends PageKind>(page: ScreenPage, kind: K): page is Extract<ScreenPage, { kind: K }> {
  return page.kind === kind
}
