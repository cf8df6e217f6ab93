/** Index, cache, renderer and limit of the search, in memory. */
import type { SearchContext } from '../../../src/edge/search/answer-search.ts'
import type { SearchCacheOptions } from '../../../src/edge/search/search-cache.ts'
import { createSearchCache } from '../../../src/edge/search/search-cache.ts'

export interface MemorySearch extends SearchContext {
  readonly lines: readonly string[]
  /** Resolves when nothing is left to do after the answers so far. */
  readonly settle: () => Promise<unknown>
}

export const SEARCH_MAX_AGE = 5_000

/** Its markup is the data of the page. */
const RENDERER: SearchContext['renderer'] = {
  policy: 'policy of one',
  headers: [['X-Content-Type-Options', 'nosniff']],
  render: async (page) => `one ${JSON.stringify(page)}`,
}

export function createSearchWorld(
  index: SearchContext['index'],
  parts: Partial<SearchContext> = {},
): MemorySearch {
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const work: Promise<void>[] = []
  const { now = () => 0 } = parts
  return {
    index,
    cache: createSearchCache(createMemoryCache(), createCacheOptions({ log, now })),
    renderer: RENDERER,
    isAllowed: async () => true,
    maxAge: SEARCH_MAX_AGE,
    later: (one) => void work.push(one),
    now,
    wait: () => new Promise(() => {}),
    log,
    lines,
    settle: () => Promise.all(work),
    ...parts,
  }
}

export function createCacheOptions(parts: Partial<SearchCacheOptions> = {}): SearchCacheOptions {
  return {
    origin: 'https://vitrina.example',
    code: 'one',
    maxAge: SEARCH_MAX_AGE,
    now: () => 0,
    log: () => {},
    ...parts,
  }
}

export function createMemoryCache(): Pick<Cache, 'match' | 'put'> {
  const entries = new Map<string, Response>()
  return {
    match: async (key) => entries.get(String(key))?.clone(),
    put: async (key, response) => void entries.set(String(key), response),
  }
}

export function createSearchRequest(search: string, options: RequestInit = {}): Request {
  return new Request(`https://vitrina.example/buscar${search}`, options)
}
