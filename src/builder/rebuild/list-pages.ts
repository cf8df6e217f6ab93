/** Creates the pages and files that belong to no seller: fixed pages, and the files that list sellers. */
import type { PageKey, SiteFileKind } from '../../domain/documents/page-table.ts'
import { isOn, listSiteKinds } from '../../domain/documents/page-table.ts'
import type { PictureFinder } from '../../domain/pages/find-pictures.ts'
import { HOME_STORES } from '../../domain/pages/home.ts'
import type { Page } from '../../domain/pages/page.ts'
import { SITE_PAGES } from '../../domain/pages/page.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { ListedSeller } from '../../domain/pages/sitemap.ts'
import { dropLostPhotos } from '../../domain/photos/lost-photos.ts'
import type { SearchEntry } from '../../domain/search/format-search-file.ts'
import { formatSearchFile } from '../../domain/search/format-search-file.ts'
import {
  countSearchFiles,
  findSearchFile,
  formatSearchFilePath,
  SEARCH_FILES,
} from '../../domain/search/search-file.ts'
import { ALL_BUCKETS } from '../../domain/work/buckets.ts'
import type { Output } from '../state/output.ts'
import type { SiteState } from '../state/site-state.ts'
import { findBucketOf } from '../state/site-state.ts'

/** The lists that a run writes: how many files the search has, and who is left out. */
export interface ListFacts {
  readonly searchFiles: number
  /** Buckets with a seller who is listed. */
  readonly buckets: readonly number[]
  /** Sellers whose pages failed. No list has them. */
  readonly omitted: ReadonlySet<string>
}

export interface ListTools {
  readonly reads: Pick<SiteState, 'readCatalogue' | 'readBucket' | 'hasSeller'>
  readonly pictures: PictureFinder
  readonly site: Site
  readonly maxProducts: number
  readonly publicFiles: ReadonlySet<string>
}

export function readListFacts(
  state: Pick<SiteState, 'readTotals' | 'readBuckets' | 'readBucket'>,
  omitted: ReadonlySet<string>,
): ListFacts {
  const affected = new Set([...omitted].map(findBucketOf))
  const hasListed = (bucket: number): boolean =>
    !affected.has(bucket) || listSellers(state, bucket, omitted).length > 0
  return {
    searchFiles: countSearchFiles(state.readTotals().products),
    buckets: state.readBuckets().filter(hasListed),
    omitted,
  }
}

/**
 * Returns the keys of the pages that show these sellers, and of the home page; with `null`, of all pages that belong to
 * no seller.
 */
export function listListKeys(
  sellers: Iterable<string> | null,
  { searchFiles }: ListFacts,
  { site, output }: { readonly site: Site; readonly output: Pick<Output, 'has'> },
): readonly PageKey[] {
  const fixed = listSiteKinds().filter((kind) => isOn(kind, site) && (sellers === null || kind === 'home'))
  const buckets = sellers === null ? ALL_BUCKETS : [...new Set([...sellers].map(findBucketOf))]
  // With another number of search files, each of them has other sellers.
  const hadMany = output.has(formatSearchFilePath(SEARCH_FILES.few))
  const isOther = sellers === null || hadMany !== searchFiles > SEARCH_FILES.few
  const numbers = isOther ? ALL_BUCKETS : buckets.map((bucket) => findSearchFile(bucket, searchFiles))
  return [
    ...[...fixed, 'sitemap-home' as const, 'sitemap-index' as const].map((kind) => createKey(kind)),
    ...buckets.map((bucket) => createKey('sitemap-bucket', bucket)),
    ...(site.search ? [...new Set(numbers)].map((number) => createKey('search-file', number)) : []),
  ]
}

function createKey(kind: PageKey['kind'], bucket?: number): PageKey {
  const digits = bucket === undefined ? {} : { bucket: bucket.toString(16).padStart(2, '0') }
  return { kind, seller: null, product: null, ...digits }
}

/** Returns `null` if the page should not exist. */
export function createListPage(key: PageKey, facts: ListFacts, tools: ListTools): Page | null {
  switch (key.kind) {
    case 'sitemap-home':
      return { kind: 'sitemap-home' }
    case 'sitemap-index':
      return { kind: 'sitemap-index', buckets: facts.buckets }
    case 'sitemap-bucket': {
      const sellers = listSellers(tools.reads, parseBucket(key), facts.omitted)
      return sellers.length === 0 ? null : { kind: 'sitemap-bucket', sellers }
    }
    case 'search-file':
      return createSearchFile(parseBucket(key), facts, tools)
    default: {
      const stores = HOME_STORES.filter((store) => tools.reads.hasSeller(store) && !facts.omitted.has(store))
      return SITE_PAGES[key.kind as SiteFileKind]({ stores, social: tools.pictures.findHome() })
    }
  }
}

function createSearchFile(number: number, facts: ListFacts, tools: ListTools): Page | null {
  const { searchFiles: files } = facts
  if (number >= files) return null
  const entries = ALL_BUCKETS.filter((bucket) => findSearchFile(bucket, files) === number)
    .flatMap((bucket) => listSellers(tools.reads, bucket, facts.omitted))
    .flatMap(({ seller }) => readSearchEntry(seller, tools) ?? [])
  return { kind: 'search-file', text: formatSearchFile(entries, files, tools.site) }
}

function readSearchEntry(seller: string, tools: ListTools): SearchEntry | null {
  const found = tools.reads.readCatalogue(seller, tools.maxProducts)
  if (found === null) return null
  const catalogue = dropLostPhotos(found, tools.publicFiles)
  return { ...catalogue, photos: tools.pictures.find(catalogue).pictures.photos }
}

function listSellers(
  reads: Pick<SiteState, 'readBucket'>,
  bucket: number,
  omitted: ReadonlySet<string>,
): readonly ListedSeller[] {
  return reads.readBucket(bucket).filter(({ seller }) => !omitted.has(seller))
}

function parseBucket({ bucket = '' }: PageKey): number {
  return Number.parseInt(bucket, 16)
}
