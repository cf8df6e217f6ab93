/** Caches answers by the words of the query, in one data centre. Treats a failing cache as empty. */
import type { SearchAnswer } from '../../domain/pages/found-products.ts'
import { SEARCH_PATH } from '../../domain/documents/page-table.ts'

export interface DatedAnswer {
  /** When the search for it began, in ms. */
  readonly begun: number
  readonly answer: SearchAnswer
}

/** `words` are those of `parseQuery`, in any order. */
export interface SearchCache {
  /** Returns `null` if the cache has no answer, or only a stale one. */
  read(words: readonly string[]): Promise<DatedAnswer | null>
  keep(words: readonly string[], dated: DatedAnswer): Promise<void>
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
  const read = async (words: readonly string[]): Promise<DatedAnswer | null> => {
    const found = await cache.match(createKey(words))
    const begun = Number(found?.headers.get(BEGUN))
    if (found === undefined || now() - begun >= maxAge) return null
    return { begun, answer: await found.json() }
  }
  const keep = async (words: readonly string[], { begun, answer }: DatedAnswer): Promise<void> => {
    const headers = { 'cache-control': `max-age=${Math.ceil(maxAge / 1_000)}`, [BEGUN]: String(begun) }
    await cache.put(createKey(words), Response.json(answer, { headers }))
  }
  return {
    read: (words) => guard(() => read(words), null),
    keep: (words, dated) => guard(() => keep(words, dated), undefined),
  }
}
