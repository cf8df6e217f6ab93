/**
 * Publishes the output folder to a bucket. The bucket is its own record: a file is put only if its MD5 differs from that
 * of what lies there. The order of the steps keeps each page whole at any instant: what a page shows exists before it,
 * and is removed after it. The marker is open meanwhile, so a publish that was cut off is noticed and repeated whole.
 */
import { createHash } from 'node:crypto'
import { findPage } from '../../domain/documents/page-address.ts'
import { findSellerPlace } from '../../domain/pages/paths.ts'
import { MARKER } from '../../domain/wire/site-marker.ts'
import { inLanes } from '../../domain/work/batches.ts'
import type { LookedAt } from '../rebuild/renew-site.ts'
import { HEADERS } from '../rebuild/static/edge-headers.ts'
import type { Output } from '../state/output.ts'
import { listFilesBelow } from '../state/output.ts'
import type { BucketClient } from './bucket-client.ts'

export interface BucketPublish {
  readonly output: Pick<Output, 'read' | 'list'>
  readonly client: BucketClient
  /** What the rebuild has looked at, if the bucket equalled the output folder before it. */
  readonly due: LookedAt | 'everything'
  /** Sellers with pages that failed. Nothing of theirs is removed. */
  readonly failing: ReadonlySet<string>
  /** Hashed files of earlier renderers that stay, although the output folder may lack them. */
  readonly keptAssets: readonly string[]
  readonly markers: { readonly open: string; readonly closed: string }
  /** Returns the text of `_headers` that permits also the inline code that this policy permits. */
  readonly formatHeaders: (policy: string) => string
  readonly wait: (ms: number) => Promise<unknown>
  readonly progress: (text: string) => void
}

interface BucketChanges {
  /** Number of files that were put. */
  readonly put: number
  readonly removed: number
}

/** Time after which each isolate has read `_headers` again, in ms. */
const HEADERS_READ = 10_000
/** Number of calls at once, for files and for sellers. */
const LANES = { files: 8, sellers: 4 }

export async function publishToBucket(publish: BucketPublish): Promise<BucketChanges> {
  const { client, due, markers } = publish
  const changes = { put: 0, removed: 0 }
  // What lies in the bucket is listed meanwhile.
  const opened = client.put(MARKER, encode(markers.open))
  const place = openPlace(publish, opened, changes)
  const published = due === 'everything' ? publishEverything(publish, place) : publishDue(publish, place, due)
  await Promise.all([opened, published])
  await client.put(MARKER, encode(markers.closed))
  return changes
}

/** MD5s of files in the bucket, by key. */
type Keys = ReadonlyMap<string, string>

interface Place {
  /** Puts the file of the output folder if it differs; removes it if the output folder lacks it. */
  renew(path: string, there: Keys): Promise<void>
  /** Returns whether the text differed. */
  renewText(path: string, text: string, there: Keys): Promise<boolean>
  remove(keys: readonly string[]): Promise<void>
}

/** Changes nothing before the marker is open. */
function openPlace(
  { client, output }: BucketPublish,
  opened: Promise<void>,
  changes: { -readonly [Name in keyof BucketChanges]: number },
): Place {
  const put = async (key: string, bytes: Uint8Array, there: Keys): Promise<boolean> => {
    if (there.get(key) === createHash('md5').update(bytes).digest('hex')) return false
    await opened
    await client.put(key, bytes)
    changes.put += 1
    return true
  }
  const remove = async (key: string): Promise<void> => {
    await opened
    await client.remove(key)
    changes.removed += 1
  }
  return {
    renew: async (path, there) => {
      const bytes = output.read(path)
      if (bytes !== null) await put(path, bytes, there)
      else if (there.has(path)) await remove(path)
    },
    renewText: (path, text, there) => put(path, encode(text), there),
    remove: (keys) => inLanes(keys, LANES.files, remove),
  }
}

/** Publishes what a rebuild has changed: pictures, then each due seller, then the files that list her. */
async function publishDue(
  { output, client, failing }: BucketPublish,
  place: Place,
  due: LookedAt,
): Promise<void> {
  const renewOne = async (path: string): Promise<void> => place.renew(path, await client.list(path))
  await inLanes(due.pictures, LANES.files, renewOne)
  await inLanes(due.sellers, LANES.sellers, async (seller) => {
    const { file, folder } = findSellerPlace(seller)
    const [beside, own] = await Promise.all([client.list(folder), client.list(file)])
    const there = new Map([...beside, ...[...own].filter(([key]) => key === file)])
    const below = listFilesBelow(output, folder.slice(0, -1))
    const pages = output.read(file) === null ? below : [...below, file]
    await renewPages(place, { pages, file }, there)
    const wanted = new Set(pages)
    if (!failing.has(seller)) await place.remove([...there.keys()].filter((key) => !wanted.has(key)))
  })
  await inLanes(due.lists, LANES.files, renewOne)
}

/** New pages come before the catalogue, which links to them. */
async function renewPages(
  place: Place,
  { pages, file }: { readonly pages: readonly string[]; readonly file: string },
  there: Keys,
): Promise<void> {
  const isNew = (path: string): boolean => path !== file && !there.has(path)
  const renew = (path: string): Promise<void> => place.renew(path, there)
  await inLanes(pages.filter(isNew), LANES.files, renew)
  await inLanes(
    pages.filter((path) => !isNew(path)),
    LANES.files,
    renew,
  )
}

/** Compares each file with one list of all keys, and removes what is not part of the site. */
async function publishEverything(publish: BucketPublish, place: Place): Promise<void> {
  const { output, client, failing, keptAssets, formatHeaders, wait, progress } = publish
  progress('Listing the files of the bucket')
  const there = await client.list('')
  const isOther = await place.renewText(HEADERS, formatHeaders(await client.readPolicy()), there)
  if (isOther && there.has(HEADERS)) await wait(HEADERS_READ)
  const paths = listFilesBelow(output, '').filter((path) => path !== MARKER && path !== HEADERS)
  const { others, sellers, lists } = divideFiles(paths)
  await inLanes(others, LANES.files, (path) => place.renew(path, there))
  let done = 0
  await inLanes(sellers, LANES.sellers, async ([seller, pages]) => {
    await renewPages(place, { pages, file: findSellerPlace(seller).file }, there)
    progress(`Publishing the pages of sellers: ${(done += 1)} of ${sellers.size}`)
  })
  await inLanes(lists, LANES.files, (path) => place.renew(path, there))
  const wanted = new Set([MARKER, HEADERS, ...paths, ...keptAssets])
  const strays = divideFiles([...there.keys()].filter((key) => !wanted.has(key)))
  const places = [...strays.sellers].filter(([seller]) => !failing.has(seller))
  await place.remove([...places.flatMap(([, pages]) => pages), ...strays.lists])
  // Old pages of failing sellers may show these, and need the inline code of before.
  if (failing.size > 0) return
  await place.remove(strays.others)
  await place.renew(HEADERS, await client.list(HEADERS))
}

interface DividedFiles {
  /** Files that are no pages: assets, pictures, and public files. Pages may show them. */
  readonly others: readonly string[]
  /** Pages of each seller. */
  readonly sellers: ReadonlyMap<string, readonly string[]>
  /** Pages of no seller. */
  readonly lists: readonly string[]
}

function divideFiles(paths: readonly string[]): DividedFiles {
  const others: string[] = []
  const sellers = new Map<string, string[]>()
  const lists: string[] = []
  for (const path of paths) {
    const page = findPage(path)
    if (page === null) others.push(path)
    else if (page.seller === null) lists.push(path)
    else {
      const pages = sellers.get(page.seller) ?? []
      sellers.set(page.seller, pages)
      pages.push(path)
    }
  }
  return { others, sellers, lists }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
