/** Makes the plan of a run. It covers only pages whose inputs may have changed, unless `isWhole` or `isFull` is set. */
import { ALL_BUCKETS } from '../../../domain/work/buckets.ts'
import type { Site } from '../../../domain/pages/site.ts'
import type { PictureFinder } from '../../../domain/pages/find-pictures.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { Manifest } from '../../state/manifest.ts'
import type { ListedSeller } from '../../../domain/pages/sitemap.ts'
import {
  countSearchFiles,
  findSearchFile,
  formatSearchFilePath,
  SEARCH_FILES,
} from '../../../domain/search/search-file.ts'
import type { ListedSellers, PageSource } from './page-sources.ts'
import { createFixedSources, createSearchSources, createSitemapSources } from './page-sources.ts'
import { createGonePage, createSellerReader, listChangedPages, listSellerPages } from './seller-pages.ts'
import type { RenderReason, WantedPage } from './plan-page.ts'
import { planPage } from './plan-page.ts'
import type { SiteRecord, Generation, RecordedPage } from '../../state/record/record.ts'
import type { PageData } from './page-data.ts'

/** A page to render. Its reader may hold the data that the plan has read, so that rendering does not read it again. */
export interface RenderStep extends PageSource {
  readonly reason: RenderReason
  /** The page's row in the record when the plan was made; `null` for a new page. */
  readonly recorded: RecordedPage | null
}

export interface SitePlan {
  readonly render: readonly RenderStep[]
  readonly remove: readonly PageSource[]
  /** Planned pages for which nothing is done: they are up to date, or are not recorded and should not exist. */
  readonly keep: readonly PageSource[]
}

export interface PlanInput {
  readonly snapshot: Snapshot
  readonly record: SiteRecord
  readonly pictures: PictureFinder
  readonly publicFiles: Manifest
  readonly settings: Site
  /** Sellers who wait only because their pictures changed. */
  readonly pictured: ReadonlySet<string>
  readonly generation: Generation
  /** The generation's number in the record. */
  readonly number: number
  /** True if every page is planned, because the list of changed sellers may be incomplete. */
  readonly isWhole: boolean
  /** True if every page is rendered again. */
  readonly isFull: boolean
}

export function planSite(input: PlanInput): SitePlan {
  return planPages(input, listPages(input))
}

/** Yields one page at a time, because there may be a million pages. */
function* listPages(input: PlanInput): Generator<PageSource> {
  const { record, settings } = input
  const sellers = findSellers(input)
  const sources = { ...input, site: settings, publicFiles: new Set(Object.keys(input.publicFiles)) }
  const data = { ...sources, reader: createSellerReader(sources) }
  for (const { seller, changed } of sellers) {
    if (changed === null) yield* listSellerPages(data, { seller, recorded: record.readPages(seller) })
    else yield* listChangedPages(data, { seller, changed })
  }
  const stale = record.readStaleOthers(input.number)
  const buckets = stale.length > 0 ? ALL_BUCKETS : findBuckets(input, sellers)
  const others = [...createFixedSources(data), ...createListSources(input, input.snapshot, buckets)]
  yield* others
  yield* listGone(stale, others, sources.publicFiles)
}

// Returns the recorded pages without a seller whose kind, or whose address, the code no longer has. Leaves out those
// whose path a public file has taken.
function listGone(
  stale: readonly string[],
  others: readonly PageSource[],
  publicFiles: ReadonlySet<string>,
): readonly PageSource[] {
  const wanted = new Set(others.map(({ path }) => path))
  return stale
    .filter((path) => !wanted.has(path) && !publicFiles.has(path))
    .map((path) => createGonePage(null, path))
}

/** Creates the files of the sitemap and of the search that list these buckets of sellers. */
function createListSources(
  input: PlanInput,
  listed: ListedSellers,
  buckets: readonly number[],
): readonly PageSource[] {
  const { settings, publicFiles } = input
  const data = { ...input, site: settings, publicFiles: new Set(Object.keys(publicFiles)) }
  return [
    ...createSitemapSources(listed, buckets, settings),
    ...(settings.search ? createSearchSources(listed, findSearchFiles(input, buckets), data) : []),
  ]
}

/** Returns the numbers of the search files that list these buckets; all numbers if the number of files has changed. */
function findSearchFiles({ snapshot, record }: PlanInput, buckets: readonly number[]): readonly number[] {
  const files = countSearchFiles(snapshot.readTotals().products)
  const hasMany = record.hasFile(formatSearchFilePath(SEARCH_FILES.few))
  if (hasMany !== files > SEARCH_FILES.few) return ALL_BUCKETS
  return [...new Set(buckets.map((bucket) => findSearchFile(bucket, files)))]
}

/** Returns a copy of the plan in which no list has these sellers. Plans the files of their lists again. */
export function omitFromLists(plan: SitePlan, sellers: readonly string[], input: PlanInput): SitePlan {
  const { snapshot } = input
  const buckets = [...new Set(sellers.map((seller) => snapshot.findBucket(seller)))]
  const sources = createListSources(input, omitSellers(snapshot, sellers, buckets), buckets)
  const replaced = new Set(sources.map(({ path }) => path))
  const isKept = ({ path }: PageSource): boolean => !replaced.has(path)
  const { render, remove, keep } = planPages(input, sources)
  return {
    render: [...plan.render.filter(isKept), ...render],
    remove: [...plan.remove.filter(isKept), ...remove],
    keep: [...plan.keep.filter(isKept), ...keep],
  }
}

function omitSellers(
  snapshot: Snapshot,
  sellers: readonly string[],
  buckets: readonly number[],
): ListedSellers {
  const omitted = new Set(sellers)
  const readBucket = (bucket: number): readonly ListedSeller[] =>
    snapshot.readBucket(bucket).filter(({ seller }) => !omitted.has(seller))
  return {
    readBucket,
    readBuckets: () =>
      snapshot.readBuckets().filter((bucket) => !buckets.includes(bucket) || readBucket(bucket).length > 0),
  }
}

function planPages(input: PlanInput, sources: Iterable<PageSource>): SitePlan {
  const { record } = input
  const render: RenderStep[] = []
  const remove: PageSource[] = []
  const keep: PageSource[] = []
  for (const source of sources) {
    const recorded = record.findPage(source.path)
    const page = render.length < POOL_FROM ? readOnce(source) : source
    const wanted = page.reader.exists(page)
      ? createWanted(page, input.generation, findDifference(page, input))
      : null
    const decision = planPage(recorded, wanted, input.isFull)
    if (decision.action === 'render') render.push({ ...page, reason: decision.reason, recorded })
    else (decision.action === 'remove' ? remove : keep).push(source)
  }
  return { render, remove, keep }
}

interface PlannedSeller {
  readonly seller: string
  /**
   * Ids of the changed products, if only pages that show them can differ; `null` if all pages of the seller are
   * planned.
   */
  readonly changed: readonly string[] | null
}

function findSellers({ snapshot, record, number, isWhole, isFull }: PlanInput): readonly PlannedSeller[] {
  const listWhole = (sellers: readonly string[]): readonly PlannedSeller[] =>
    [...new Set(sellers)].map((seller) => ({ seller, changed: null }))
  if (isWhole || isFull) return listWhole([...snapshot.readSellers(), ...record.readSellers()].sort())
  const stale = new Set(record.readStaleSellers(number))
  return [...new Set([...snapshot.waits.list(), ...stale])].sort().map((seller) => ({
    seller,
    changed: stale.has(seller) ? null : snapshot.findChangedProducts(seller),
  }))
}

/**
 * Min pages of a run that renders in worker threads. Workers read page data themselves, so the plan keeps the data of
 * at most this number of pages in memory.
 */
export const POOL_FROM = 200

function findBuckets(
  { snapshot, isWhole, isFull }: PlanInput,
  sellers: readonly PlannedSeller[],
): readonly number[] {
  if (isWhole || isFull) return ALL_BUCKETS
  return [...new Set(sellers.map(({ seller }) => snapshot.findBucket(seller)))]
}

// Returns `picture` only for pages of sellers whose documents did not change.
function findDifference({ seller }: PageSource, { pictured }: PlanInput): WantedPage['difference'] {
  return seller !== null && pictured.has(seller) ? 'picture' : 'data'
}

function createWanted(
  page: PageSource,
  generation: Generation,
  difference: WantedPage['difference'],
): WantedPage {
  return { kind: page.kind, generation, difference, readHash: () => page.reader.read(page)?.hash ?? '' }
}

// Returns a page that keeps its data after the first read, so that rendering does not read it again.
function readOnce(page: PageSource): PageSource {
  let data: PageData | null | undefined
  const read = (): PageData | null => (data === undefined ? (data = page.reader.read(page)) : data)
  return { ...page, reader: { ...page.reader, read } }
}
