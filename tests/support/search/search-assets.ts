/** The files of a site with a search, in memory, and the context of the Worker's search of them. */
import type { SearchEntry } from '../../../src/domain/search/format-search-file.ts'
import { formatSearchFile } from '../../../src/domain/search/format-search-file.ts'
import { formatSearchFilePath, SEARCH_FILES } from '../../../src/domain/search/search-file.ts'
import { RESULTS_END, RESULTS_START } from '../../../src/site/markup/search-results.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import type { SearchContext } from '../../../src/edge/search/answer-search.ts'
import { createSearchLoader, createShellLoader } from '../../../src/edge/search/load-search.ts'
import { CATALOGUES } from '../run/sample-catalogues.ts'

export const SWITCHES = { productPages: true, feeds: false, search: true, posters: false }

/** The entries of the sample. */
export const SAMPLE: readonly SearchEntry[] = CATALOGUES.map((catalogue) => ({
  ...catalogue,
  ...NO_PICTURES,
}))

const SHELL = `<title>Buscar | Vitrina</title><input type="search" name="q"><main>${RESULTS_START}-${RESULTS_END}</main>`

export interface MemoryAssets {
  /** By path. A test may replace and delete them. */
  readonly files: Map<string, string>
  /** Headers of the search page. */
  readonly headers: Headers
  /** Paths of the requests so far. */
  readonly requested: readonly string[]
  fetch(request: Request): Promise<Response>
}

export function createAssets(entries: readonly SearchEntry[] = SAMPLE, shell = SHELL): MemoryAssets {
  const count = SEARCH_FILES.few
  const files = new Map([['/buscar', shell]])
  for (let number = 0; number < count; number += 1) {
    const own = entries.filter((_, index) => index % count === number)
    files.set(`/${formatSearchFilePath(number)}`, formatSearchFile(own, count, SWITCHES))
  }
  const requested: string[] = []
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8', etag: '"1"' })
  return {
    files,
    headers,
    requested,
    fetch: async ({ url }) => {
      const { pathname } = new URL(url)
      requested.push(pathname)
      const text = files.get(pathname)
      return new Response(text ?? 'No existe', { status: text === undefined ? 404 : 200, headers })
    },
  }
}

export interface MemorySearch extends SearchContext {
  readonly lines: readonly string[]
}

export function createSearchWorld(
  assets: SearchContext['assets'] = createAssets(),
  parts: Partial<SearchContext> = {},
): MemorySearch {
  const lines: string[] = []
  return {
    assets,
    loadShell: createShellLoader(),
    loadSearch: createSearchLoader({ now: () => 0, wait: async () => {} }),
    isAllowed: async () => true,
    wait: () => new Promise(() => {}),
    log: (line) => void lines.push(line),
    lines,
    ...parts,
  }
}

export function createSearchRequest(search: string, options: RequestInit = {}): Request {
  return new Request(`https://vitrina.example/buscar${search}`, options)
}
