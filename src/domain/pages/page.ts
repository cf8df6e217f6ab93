/** The data of one page as one value: with the code, all that its bytes depend on. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import type { CataloguePictures } from '../photos/picture.ts'
import type { Site } from './site.ts'
import type { SitemapPage } from './sitemap.ts'

export type HomePage = {
  readonly kind: 'home'
  /** The sample stores that have a catalogue, so that their cards may link to it. */
  readonly stores: readonly string[]
}
export type CataloguePage = {
  readonly kind: 'catalogue'
  readonly catalogue: Catalogue
  readonly pictures: CataloguePictures
}
export type UnknownCataloguePage = { readonly kind: 'unknown-catalogue'; readonly catalogue: Catalogue }
export type NotFoundPage = { readonly kind: 'not-found' }

/** Pages that the compiled screens show. */
export type ScreenPage = HomePage | CataloguePage | UnknownCataloguePage | NotFoundPage
export type Page = ScreenPage | SitemapPage
export type PageKind = ScreenPage['kind']

/** What a page finds in `Astro.locals`. */
export type PageLocals = { readonly site: Site; readonly page: ScreenPage }

/** The catalogue screen as it is when nothing loads. Source: docs/design.md, Errors. */
export function createUnknownCataloguePage(): UnknownCataloguePage {
  return { kind: 'unknown-catalogue', catalogue: createCatalogue('', null, []) }
}

/** The page a route expects; anything else is a mistake of the caller. */
export function readPage<K extends PageKind>(locals: PageLocals, kind: K): Extract<ScreenPage, { kind: K }> {
  const { page } = locals
  if (!isKind(page, kind)) throw new Error(`expected the data of a ${kind} page, got ${page.kind}`)
  return page
}

function isKind<K extends PageKind>(page: ScreenPage, kind: K): page is Extract<ScreenPage, { kind: K }> {
  return page.kind === kind
}
