/** Supplies the routes of the static Astro site with the data of their pages. */
import { createHash } from 'node:crypto'
import type { PageLocals, ScreenPage } from '../../../../src/domain/pages/page.ts'
import { createUnknownCataloguePage } from '../../../../src/domain/pages/page.ts'
import { loadCatalogues, SITE } from '../site-data.ts'
import { NO_PICTURES } from '../../../../src/domain/photos/picture.ts'

interface StaticPath {
  readonly params: { readonly id: string }
  readonly props: PageLocals
  /**
   * Hash of the page's data. An incremental build renders a page only if its hash has changed. Absent for other builds.
   */
  readonly cacheKey?: string
}

const FIXED: Readonly<Record<string, ScreenPage>> = {
  home: { kind: 'home', stores: [], social: null },
  'not-found': { kind: 'not-found' },
  'unknown-catalogue': createUnknownCataloguePage(),
}

export function listCatalogues(): readonly StaticPath[] {
  const isIncremental = process.env['BENCH_INCREMENTAL'] === '1'
  return loadCatalogues(process.env['BENCH_DATABASE'] ?? '').map((catalogue) => ({
    params: { id: catalogue.seller },
    props: { site: SITE, page: { kind: 'catalogue', catalogue, pictures: NO_PICTURES } },
    ...(isIncremental && { cacheKey: hash(JSON.stringify(catalogue)) }),
  }))
}

export function readLocals(kind: string): PageLocals {
  const page = FIXED[kind]
  if (page === undefined) throw new Error(`unknown kind of page: ${kind}`)
  return { site: SITE, page }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
