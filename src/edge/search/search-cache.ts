/** Caches answers by the words of the query, in one data centre. Treats a failing cache as empty. */
import type { SearchAnswer } from '../../domain/pages/found-products.ts'
import { SEARCH_PATH } from '../../domain/documents/page-table.ts'

/** `words` are those of `parseQuery`, in any order. */
export interface SearchCache {
  /** Returns `null` if the cache has no answer, or only a stale one. */
  read(words: readonly string[]): Promise<SearchAnswer | null>
  keep(words: readonly string[], answer: SearchAnswer): Promise<void>
}

export interface SearchCacheOptions {
  readonly origin: string
  /** Identifies the version of the code. Answers of other versions are not found. */
  readonly code: string
  /** In ms. */
  readonly maxAge: number
  readonly now: () => number
  /** Receives lines that contain no part of a query. */
  readonly log: (line: string) => void
}

const BEGUN = 'vitrina-begun'

export function createSearchCache(
  cache: Pick<Cache, 'match' | 'put'>,
  { origin, code, maxAge, now, log }: SearchCacheOptions,
): SearchCache {
  const createKey = (words: readonly string[]): string =>
    `${origin}${SEARCH_PATH}?${new URLSearchParams({ words: words.toSorted().join(' '), code })}`
  const guard = async <Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      return await work()
    } catch {
      log('search: the cache failed')
      return otherwise
    }
  }
  const read = async (words: readonly string[]): Promise<SearchAnswer | null> => {
    const found = await cache.match(createKey(words))
    if (found === undefined || now() - Number(found.headers.get(BEGUN)) >= maxAge) return null
    return found.json()
  }
  const keep = async (words: readonly string[], answer: SearchAnswer): Promise<void> => {
    const headers = { 'cache-control': `max-age=${Math.ceil(maxAge / 1_000)}`, [BEGUN]: String(now()) }
    await cache.put(createKey(words), Response.json(answer, { headers }))
  }
  return {
    read: (words) => guard(() => read(words), null),
    keep: (words, answer) => guard(() => keep(words, answer), undefined),
  }
}
