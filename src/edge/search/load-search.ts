/** Reads the search page and the search files of the site once for all requests of an isolate. */
import { SEARCH_PATH } from '../../domain/documents/page-table.ts'
import type { SearchFile } from '../../domain/search/search-file.ts'
import { formatSearchFilePath, parseSearchFile } from '../../domain/search/search-file.ts'
import type { Search } from '../../domain/search/search-files.ts'
import { openSearchFiles } from '../../domain/search/search-files.ts'
import { inLanes } from '../../domain/work/batches.ts'

/** Fetches a file of the site by its path. */
export type FetchFile = (path: string) => Promise<Response>

interface LoaderOptions {
  /** Returns milliseconds. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
}

/** Number of files read at once. More at once take much more memory. */
const WIDTH = 4
/** Time after which another request reads on, because the one that reads may have been cancelled, in ms. */
const PATIENCE = 5_000
const PAUSE = 20

/**
 * Returns a function that returns the search, and reads the files at its first call. One request reads the files that
 * are missing. Others wait on a timer of their own, because no request may wait for the work of another. The function
 * rejects if a file cannot be read, or has a format that this code does not know; the next call reads it again.
 * `files` are those that were read before, by number; the function adds the others.
 */
export function createSearchLoader(
  { now, wait }: LoaderOptions,
  files = new Map<number, SearchFile>(),
): (fetchFile: FetchFile) => Promise<Search> {
  let search: Search | null = null
  let reader: { readonly until: number } | null = null
  const read = async (fetchFile: FetchFile): Promise<Search> => {
    const first = files.get(0) ?? (await readFile(0, fetchFile))
    files.set(0, first)
    const numbers = Array.from({ length: first.files }, (_, number) => number)
    await inLanes(numbers.values(), WIDTH, async (number) => {
      const file = files.get(number) ?? (await readFile(number, fetchFile))
      if (file.files !== first.files) throw new Error('the search files belong to different sites')
      files.set(number, file)
    })
    // In this order, because it decides between results that are equally good.
    return openSearchFiles(numbers.flatMap((number) => files.get(number) ?? []))
  }
  return async (fetchFile) => {
    while (search === null) {
      if (reader !== null && now() < reader.until) {
        await wait(PAUSE)
        continue
      }
      const own = (reader = { until: now() + PATIENCE })
      try {
        search = await read(fetchFile)
      } finally {
        if (reader === own) reader = null
      }
    }
    return search
  }
}

export interface SearchShell {
  readonly html: string
  readonly headers: Headers
}

/**
 * Returns a function that returns the search page without results, and reads it at its first call. If the site has no
 * such page, the function returns the answer to its address.
 */
export function createShellLoader(): (fetchFile: FetchFile) => Promise<SearchShell | Response> {
  let shell: SearchShell | null = null
  return async (fetchFile) => {
    if (shell !== null) return shell
    const response = await fetchFile(SEARCH_PATH)
    if (response.status !== 200) return response
    return (shell = { html: await response.text(), headers: new Headers(response.headers) })
  }
}

async function readFile(number: number, fetchFile: FetchFile): Promise<SearchFile> {
  const path = formatSearchFilePath(number)
  const response = await fetchFile(`/${path}`)
  if (response.status !== 200) throw new Error(`${path} cannot be read: status ${response.status}`)
  return parseSearchFile(await response.text())
}
