/** Opens the index, the cache and the rate limit of a Worker's search, from its bindings and variables. */
import type { RateLimit } from 'cloudflare:workers'
import { SEARCH_PATH } from '../../domain/documents/page-table.ts'
import type { SearchRenderer, SearchContext } from './answer-search.ts'
import type { IndexLane, SearchEnvironment } from './open-index.ts'
import { openIndex } from './open-index.ts'
import { createSearchCache } from './search-cache.ts'
import { createSearchLimit } from './search-limit.ts'

export interface PageEnvironment extends SearchEnvironment {
  /** Absent in a Worker that was deployed with an older configuration. Then no search is refused. */
  readonly SEARCH_LIMIT?: RateLimit
}

interface SearchHost extends Pick<SearchContext, 'later' | 'log' | 'maxAge'> {
  readonly lane: IndexLane
  readonly environment: PageEnvironment
  readonly renderer: SearchRenderer & { readonly code: string; readonly site: { readonly url: string } }
  /** The cache of the data centre. */
  readonly cache: Pick<Cache, 'match' | 'put'>
}

export function isSearch({ url }: Pick<Request, 'url'>): boolean {
  return new URL(url).pathname === SEARCH_PATH
}

export function openSearch({ lane, environment, cache, ...host }: SearchHost): SearchContext {
  const { renderer, maxAge, log } = host
  const { SEARCH_LIMIT } = environment
  const { code, site } = renderer
  return {
    ...host,
    index: openIndex(environment, lane, log) ?? NO_INDEX,
    cache: createSearchCache(cache, { origin: site.url, code, maxAge, now: Date.now, log }),
    isAllowed: SEARCH_LIMIT === undefined ? async () => true : createSearchLimit(SEARCH_LIMIT),
    now: Date.now,
    wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  }
}

const NO_INDEX: SearchContext['index'] = {
  search: () => Promise.reject(new Error('this Worker has no search index')),
}
