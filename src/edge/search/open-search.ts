/** Opens the index, the cache and the rate limit of a Worker's search, from its bindings and variables. */
import type { RateLimit } from 'cloudflare:workers'
import { SEARCH_PATH } from '../../domain/documents/page-table.ts'
import type { SearchContext } from './answer-search.ts'
import type { CompiledRenderer } from './compiled-renderer.ts'
import type { SearchEnvironment } from './open-index.ts'
import { openIndex } from './open-index.ts'
import { createSearchCache } from './search-cache.ts'
import { createSearchLimit } from './search-limit.ts'

export interface PageEnvironment extends SearchEnvironment {
  /** Absent in a Worker that was deployed with an older configuration. Then no search is refused. */
  readonly SEARCH_LIMIT?: RateLimit
}

/** How long answers are kept, in ms. */
const MAX_AGE = 5_000

interface SearchHost extends Pick<SearchContext, 'later' | 'log'> {
  readonly environment: PageEnvironment
  readonly renderer: CompiledRenderer
  /** The cache of the data centre. */
  readonly cache: Pick<Cache, 'match' | 'put'>
}

export function isSearch({ url }: Pick<Request, 'url'>): boolean {
  return new URL(url).pathname === SEARCH_PATH
}

export function openSearch({ environment, cache, ...host }: SearchHost): SearchContext {
  const { renderer, log } = host
  const { SEARCH_LIMIT } = environment
  const { code, site } = renderer
  return {
    ...host,
    maxAge: MAX_AGE,
    index: openIndex(environment, log) ?? NO_INDEX,
    cache: createSearchCache(cache, { origin: site.url, code, maxAge: MAX_AGE, now: Date.now, log }),
    isAllowed: SEARCH_LIMIT === undefined ? async () => true : createSearchLimit(SEARCH_LIMIT),
    now: Date.now,
    wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  }
}

const NO_INDEX: SearchContext['index'] = {
  search: () => Promise.reject(new Error('this Worker has no search index')),
}
