/** The pages of the site: the file and the kind of each, and a function that reads its data. */
import { HOME_STORES } from '../../../domain/pages/home.ts'
import type { Page, SiteFacts } from '../../../domain/pages/page.ts'
import { SITE_PAGES } from '../../../domain/pages/page.ts'
import { formatPageFile, listSiteKinds } from '../../../domain/documents/page-table.ts'
import { formatBucketFile, HOME_SITEMAP, SITEMAP_INDEX } from '../../../domain/pages/sitemap.ts'
import type { PictureFinder } from '../../../domain/objects/find-pictures.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { PageData } from './page-data.ts'
import { createPageData } from './page-data.ts'

export interface PageSource {
  readonly path: string
  readonly kind: Page['kind']
  /** `null` unless it is a page of a seller. */
  readonly seller: string | null
  /** `null` unless it is a product's page. */
  readonly product: string | null
  /** Returns `null` if the page should not exist. */
  readonly read: () => PageData | null
  readonly exists: () => boolean
  /** Returns the number of products that it shows. */
  readonly countProducts: () => number
}

/** The sources of page data. */
export interface PageDataSource {
  readonly snapshot: Snapshot
  readonly pictures: PictureFinder
  /** Names of the files in the public folder. A local photo that is not among them is dropped. */
  readonly publicFiles: ReadonlySet<string>
  /** Origin of the site's addresses. */
  readonly url: string
}

/** Creates the screens that belong to no seller. They are few, so every run plans all of them. */
export function createFixedSources(data: PageDataSource): readonly PageSource[] {
  const facts = readFacts(data)
  return listSiteKinds().map((kind) =>
    createSource(formatPageFile({ kind, seller: null, product: null }), SITE_PAGES[kind](facts), data.url),
  )
}

/** The sellers that the sitemap lists. */
export type ListedSellers = Pick<Snapshot, 'readBuckets' | 'readBucket'>

/** Creates the files of the sitemap: those without a seller, and those of these buckets. */
export function createSitemapSources(
  listed: ListedSellers,
  buckets: readonly number[],
  url: string,
): readonly PageSource[] {
  return [
    createSource(HOME_SITEMAP, { kind: 'sitemap', part: 'home' }, url),
    createSource(SITEMAP_INDEX, { kind: 'sitemap', part: 'index', buckets: listed.readBuckets() }, url),
    ...buckets.map((bucket) => createBucketSource(listed, bucket, url)),
  ]
}

function createSource(path: string, page: Page, url: string): PageSource {
  return {
    path,
    kind: page.kind,
    seller: null,
    product: null,
    read: () => createPageData(page, url),
    exists: () => true,
    countProducts: () => 0,
  }
}

/** Returns what pages show that belong to no seller. */
function readFacts({ snapshot, pictures }: Pick<PageDataSource, 'snapshot' | 'pictures'>): SiteFacts {
  return { stores: HOME_STORES.filter((store) => snapshot.hasSeller(store)), social: pictures.findHome() }
}

/** The sitemap file of a bucket of sellers should not exist if the bucket is empty. */
function createBucketSource(listed: ListedSellers, bucket: number, url: string): PageSource {
  const read = (): PageData | null => {
    const sellers = listed.readBucket(bucket)
    return sellers.length === 0 ? null : createPageData({ kind: 'sitemap', part: 'bucket', sellers }, url)
  }
  return {
    path: formatBucketFile(bucket),
    kind: 'sitemap',
    seller: null,
    product: null,
    read,
    exists: () => listed.readBucket(bucket).length > 0,
    countProducts: () => 0,
  }
}
