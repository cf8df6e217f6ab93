/** The data of one page. A page's bytes depend only on this data, the settings and the code. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import type { Product, ProductSeller } from '../documents/product.ts'
import type { CataloguePictures, Picture } from '../photos/picture.ts'
import { formatLargeTransformations } from '../photos/transformations.ts'
import type { FeedPage } from './feed.ts'
import { createFeedPage, formatFeed } from './feed.ts'
import type { PosterPage } from './poster.ts'
import { createPosterPage } from './poster.ts'
import type { PageKind, SellerPageKind, SiteFileKind, TextKind } from '../documents/page-table.ts'
import { isTextKind } from '../documents/page-table.ts'
import type { PreviewPicture } from './sharing.ts'
import { createSocialPreview } from './sharing.ts'
import type { SellerParts } from './seller-parts.ts'
import type { Site } from './site.ts'
import type { SitemapPage } from './sitemap.ts'
import { formatHomeSitemap, formatSitemap, formatSitemapIndex } from './sitemap.ts'

type HomePage = {
  readonly kind: 'home'
  /** Ids of the sample stores, shown on the home page, that have a catalogue. Only their cards link to a catalogue. */
  readonly stores: readonly string[]
  /** Path of the picture in the page's link preview; `null` for none. */
  readonly social: string | null
}
type CataloguePage = {
  readonly kind: 'catalogue'
  readonly catalogue: Catalogue
  readonly pictures: CataloguePictures
}
export type ProductPage = {
  readonly kind: 'product'
  readonly product: Product
  readonly seller: ProductSeller & Pick<Catalogue, 'whatsapp'>
  /**
   * The whole photo in large sizes if these exist, otherwise the photo in the sizes of cards; `null` if neither exists.
   */
  readonly picture: Picture | null
  /** The picture in the page's link preview; `null` for none. */
  readonly preview: PreviewPicture | null
}
/** The page at the address of a product that the seller does not have, or no longer has. */
type UnknownProductPage = { readonly kind: 'unknown-product'; readonly seller: ProductSeller }
type UnknownCataloguePage = { readonly kind: 'unknown-catalogue'; readonly catalogue: Catalogue }
type NotFoundPage = { readonly kind: 'not-found' }
/** The page that searches all catalogues, without a query. The Worker adds results. */
type SearchPage = { readonly kind: 'search' }

/** Pages that Astro renders. */
export type ScreenPage =
  | HomePage
  | CataloguePage
  | ProductPage
  | UnknownProductPage
  | PosterPage
  | UnknownCataloguePage
  | NotFoundPage
  | SearchPage

/** A file that the Worker searches. `text` is that of `formatSearchFile`. */
type SearchFilePage = { readonly kind: 'search-file'; readonly text: string }

/** Pages that are XML or plain text, and are not rendered by Astro. */
export type TextPage = SitemapPage | SearchFilePage | FeedPage
export type Page = ScreenPage | TextPage

export function isText(page: Page): page is TextPage {
  return isTextKind(page.kind)
}

export function formatText<P extends TextPage>(page: P, site: Site): string {
  const format = TEXTS[page.kind] as (page: P, site: Site) => string
  return format(page, site)
}

type Texts = { readonly [K in TextKind]: (page: Extract<TextPage, { kind: K }>, site: Site) => string }

const TEXTS: Texts = {
  'sitemap-home': (_, { url }) => formatHomeSitemap(url),
  'sitemap-index': ({ buckets }, { url }) => formatSitemapIndex(url, buckets),
  'sitemap-bucket': ({ sellers }, { url }) => formatSitemap(url, sellers),
  'search-file': ({ text }) => text,
  feed: formatFeed,
}

/**
 * Functions that create the pages of a seller. `product` returns `null` if the seller does not have the product `id`;
 * the other functions ignore `id`. The products must be in the order of `sortProducts`.
 */
export const SELLER_PAGES: Readonly<Record<SellerPageKind, (parts: SellerParts, id: string) => Page | null>> =
  {
    product: createProductPage,
    'unknown-product': createUnknownProductPage,
    feed: createFeedPage,
    poster: createPosterPage,
    catalogue: ({ catalogue, pictures }) => ({ kind: 'catalogue', catalogue, pictures }),
  }

export type SiteFacts = Omit<HomePage, 'kind'>

/** Functions that create the pages that belong to no seller and are files. */
export const SITE_PAGES: Readonly<Record<SiteFileKind, (facts: SiteFacts) => ScreenPage>> = {
  home: ({ stores, social }) => ({ kind: 'home', stores, social }),
  'not-found': () => ({ kind: 'not-found' }),
  'unknown-catalogue': createUnknownCataloguePage,
  search: () => ({ kind: 'search' }),
}

/** The type of `Astro.locals`. */
export type PageLocals = { readonly site: Site; readonly page: ScreenPage }

/** Creates the catalogue screen for an unknown seller. Source: docs/specification.md, Errors. */
export function createUnknownCataloguePage(): UnknownCataloguePage {
  return { kind: 'unknown-catalogue', catalogue: createCatalogue('', null, []) }
}

/** Returns `null` if the seller does not have the product. */
export function createProductPage(
  { catalogue, pictures, previews }: SellerParts,
  id: string,
): ProductPage | null {
  const product = catalogue.products.find((one) => one.id === id)
  if (product === undefined) return null
  const photo = product.photo ?? ''
  return {
    kind: 'product',
    product,
    seller: { id: catalogue.seller, name: catalogue.name, whatsapp: catalogue.whatsapp },
    picture: findLargePicture(photo, { pictures, previews }),
    preview: previews[photo] ?? createSocialPreview(pictures.social),
  }
}

/**
 * Returns the whole photo in large sizes if these exist, otherwise the photo in the sizes of cards; `null` if neither
 * exists.
 */
function findLargePicture(
  photo: string,
  { pictures, previews }: Pick<SellerParts, 'pictures' | 'previews'>,
): Picture | null {
  const small = pictures.photos.get(photo) ?? null
  if (small === null) return null
  if (small.type === null) return formatLargeTransformations(photo)
  const sources = previews[photo]?.sources
  return sources === undefined ? small : { type: small.type, sources, tone: small.tone }
}

export function createUnknownProductPage({
  catalogue: { seller, name },
}: Pick<SellerParts, 'catalogue'>): UnknownProductPage {
  return { kind: 'unknown-product', seller: { id: seller, name } }
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
