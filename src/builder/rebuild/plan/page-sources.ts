/** Defines the pages of a plan and the readers of their data. Creates the pages that belong to no seller. */
import { HOME_STORES } from '../../../domain/pages/home.ts'
import type { Page, SiteFacts } from '../../../domain/pages/page.ts'
import { SITE_PAGES } from '../../../domain/pages/page.ts'
import type { PageKey } from '../../../domain/documents/page-table.ts'
import { isOn, listSiteKinds } from '../../../domain/documents/page-table.ts'
import { formatPageFile } from '../../../domain/documents/page-address.ts'
import type { Site } from '../../../domain/pages/site.ts'
import { formatBucketFile } from '../../../domain/pages/sitemap.ts'
import type { PictureFinder } from '../../../domain/pages/find-pictures.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { PageData } from './page-data.ts'
import { createPageData } from './page-data.ts'
import { dropLostPhotos } from '../../../domain/photos/lost-photos.ts'
import type { SearchEntry } from '../../../domain/search/search-entry.ts'
import { createSearchEntry } from '../../../domain/search/search-entry.ts'
import { formatSearchFile } from '../../../domain/search/format-search-file.ts'
import {
  countSearchFiles,
  formatSearchFilePath,
  listSearchBuckets,
} from '../../../domain/search/search-file.ts'

/** A page of a plan. Pages share readers instead of each having one, because a plan may have a million pages. */
export interface PageSource extends PageKey {
  readonly path: string
  readonly kind: Page['kind']
  readonly reader: PageReader
}

export interface PageReader {
  /** Returns `null` if the page should not exist. */
  read(page: PageKey): PageData | null
  exists(page: PageKey): boolean
  countProducts(page: PageKey): number
}

/** Reader for pages that should not exist. */
export const NO_PAGES: PageReader = { read: () => null, exists: () => false, countProducts: () => 0 }

export interface PageDataSource {
  readonly snapshot: Snapshot
  readonly pictures: PictureFinder
  /**
   * Paths of the files in the public folder. If the address of a product's photo is a path of the site, and its file is
   * not among these, the photo is dropped.
   */
  readonly publicFiles: ReadonlySet<string>
  readonly site: Site
}

/**
 * Creates the HTML pages that belong to no seller, such as the home page. Every run plans all of them, because there
 * are few.
 */
export function createFixedSources(data: PageDataSource): readonly PageSource[] {
  const facts = readFacts(data)
  return listSiteKinds()
    .filter((kind) => isOn(kind, data.site))
    .map((kind) => createSource(SITE_PAGES[kind](facts), data.site))
}

export type ListedSellers = Pick<Snapshot, 'readBuckets' | 'readBucket'>

/** Creates the pages of the sitemap: the file of the home page, the index, and the file of each bucket in `buckets`. */
export function createSitemapSources(
  listed: ListedSellers,
  buckets: readonly number[],
  site: Site,
): readonly PageSource[] {
  return [
    createSource({ kind: 'sitemap-home' }, site),
    createSource({ kind: 'sitemap-index', buckets: listed.readBuckets() }, site),
    ...buckets.map((bucket) => createBucketSource(listed, bucket, site)),
  ]
}

function createSource(page: Page, site: Site): PageSource {
  const key = { kind: page.kind, seller: null, product: null }
  const reader: PageReader = {
    read: () => createPageData(page, site),
    exists: () => true,
    countProducts: () => 0,
  }
  return { ...key, path: formatPageFile(key), reader }
}

/** Returns the facts that are shown on pages without a seller. */
function readFacts({ snapshot, pictures }: Pick<PageDataSource, 'snapshot' | 'pictures'>): SiteFacts {
  return { stores: HOME_STORES.filter((store) => snapshot.hasSeller(store)), social: pictures.findHome() }
}

/**
 * Creates the search files with these numbers. `listed` has the sellers that the files list. Files beyond the number of
 * files that the site has now should not exist.
 */
export function createSearchSources(
  listed: ListedSellers,
  numbers: readonly number[],
  data: PageDataSource,
): readonly PageSource[] {
  const files = countSearchFiles(data.snapshot.readTotals().products)
  const reader: PageReader = {
    read: ({ bucket = '' }) => {
      const entries = listSearchBuckets(Number.parseInt(bucket, 16), files)
        .flatMap((one) => listed.readBucket(one))
        .flatMap(({ seller }) => readEntry(data, seller) ?? [])
      const text = formatSearchFile(entries, { files, switches: data.site })
      return createPageData({ kind: 'search-file', text }, data.site)
    },
    exists: () => true,
    countProducts: () => 0,
  }
  return numbers.map((number) => ({
    kind: 'search-file',
    path: formatSearchFilePath(number),
    seller: null,
    product: null,
    bucket: number.toString(16).padStart(2, '0'),
    reader: number < files ? reader : NO_PAGES,
  }))
}

function readEntry({ snapshot, pictures, publicFiles }: PageDataSource, seller: string): SearchEntry | null {
  const found = snapshot.readCatalogue(seller)
  if (found === null) return null
  const catalogue = dropLostPhotos(found, publicFiles)
  return createSearchEntry(catalogue, pictures.find(catalogue))
}

/** Creates the sitemap file of a bucket. The file of a bucket without sellers should not exist. */
function createBucketSource(listed: ListedSellers, bucket: number, site: Site): PageSource {
  const read = (): PageData | null => {
    const sellers = listed.readBucket(bucket)
    return sellers.length === 0 ? null : createPageData({ kind: 'sitemap-bucket', sellers }, site)
  }
  const reader: PageReader = {
    read,
    exists: () => listed.readBucket(bucket).length > 0,
    countProducts: () => 0,
  }
  return { path: formatBucketFile(bucket), kind: 'sitemap-bucket', seller: null, product: null, reader }
}
