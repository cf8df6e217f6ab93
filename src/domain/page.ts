/** The data of one page as one value: with the code, all that its bytes depend on. */
import type { Catalogue } from './catalogue.ts'
import { createCatalogue } from './catalogue.ts'
import type { Site } from './site.ts'

export type HomePage = {
  readonly kind: 'home'
  /** The sample stores that have a catalogue, so that their cards may link to it. */
  readonly stores: readonly string[]
}
export type CataloguePage = { readonly kind: 'catalogue'; readonly catalogue: Catalogue }
export type UnknownCataloguePage = { readonly kind: 'unknown-catalogue'; readonly catalogue: Catalogue }
export type NotFoundPage = { readonly kind: 'not-found' }

export type Page = HomePage | CataloguePage | UnknownCataloguePage | NotFoundPage
export type PageKind = Page['kind']

/** What a page finds in `Astro.locals`. */
export type PageLocals = { readonly site: Site; readonly page: Page }

/** The catalogue screen as it is when nothing loads. Source: specification, section 8. */
export function createUnknownCataloguePage(): UnknownCataloguePage {
  return { kind: 'unknown-catalogue', catalogue: createCatalogue('', null, []) }
}

/** The page a route expects; anything else is a mistake of the caller. */
export function readPage<K extends PageKind>(locals: PageLocals, kind: K): Extract<Page, { kind: K }> {
  const { page } = locals
  if (!isKind(page, kind)) throw new Error(`expected the data of a ${kind} page, got ${page.kind}`)
  return page
}

function isKind<K extends PageKind>(page: Page, kind: K): page is Extract<Page, { kind: K }> {
  return page.kind === kind
}
