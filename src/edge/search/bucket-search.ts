/**
 * The search of a site in a bucket. When the marker of the site is another one, the search files are listed again, and
 * those that differ are read again, and so is the search page.
 */
import { readMessage } from '../../domain/documents/errors.ts'
import { SEARCH_PATH } from '../../domain/documents/page-table.ts'
import type { SearchFile } from '../../domain/search/search-file.ts'
import { formatSearchFilePath } from '../../domain/search/search-file.ts'
import { MARKER } from '../../domain/wire/site-marker.ts'
import type { Bucket } from '../files/bucket.ts'
import type { SearchContext } from './answer-search.ts'
import { createSearchLoader, createShellLoader } from './load-search.ts'

type SearchLoaders = Pick<SearchContext, 'loadShell' | 'loadSearch'>

interface BucketSearchOptions {
  /** Returns milliseconds. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly log: (line: string) => void
}

/** How long an isolate trusts the marker that it has seen, in ms. */
const TRUSTED = 5_000
const FOLDER = `${SEARCH_PATH.slice(1)}/`

type ListedBucket = Pick<Bucket, 'head' | 'list'>

/** Requests of an isolate share the function. If the bucket fails, it returns the loaders of before. */
export function createBucketSearch(
  options: BucketSearchOptions,
): (bucket: ListedBucket) => Promise<SearchLoaders> {
  let marker: { readonly etag: string | null; readonly until: number } | null = null
  let etags: ReadonlyMap<string, string> = new Map()
  let files = new Map<number, SearchFile>()
  const createLoaders = (): SearchLoaders => ({
    loadShell: createShellLoader(),
    loadSearch: createSearchLoader(options, files),
  })
  let loaders = createLoaders()
  const renew = async (bucket: ListedBucket): Promise<void> => {
    const etag = (await bucket.head(MARKER))?.etag ?? null
    if (marker === null || marker.etag !== etag) {
      const listed = await listEtags(bucket)
      // A read that has begun goes on with the files of before.
      files = new Map(
        [...files].filter(([number]) => {
          const path = formatSearchFilePath(number)
          return etags.get(path) === listed.get(path)
        }),
      )
      loaders = createLoaders()
      etags = listed
    }
    marker = { etag, until: options.now() + TRUSTED }
  }
  return async (bucket) => {
    if (marker === null || options.now() >= marker.until)
      await renew(bucket).catch((error: unknown) => options.log(`search: ${readMessage(error)}`))
    return loaders
  }
}

/** There are at most 256 search files, and a list has up to 1,000. */
async function listEtags(bucket: ListedBucket): Promise<ReadonlyMap<string, string>> {
  const { objects } = await bucket.list({ prefix: FOLDER })
  return new Map(objects.map(({ key, etag }) => [key, etag]))
}
