/** The Worker's entry. It handles `/api/*`, `/buscar` and the nightly timer. Cloudflare serves all other files. */
import type { RateLimit } from 'cloudflare:workers'
import { answerSearch, isSearch } from '../src/edge/search/answer-search.ts'
import { createSearchLoader, createShellLoader } from '../src/edge/search/load-search.ts'
import { createSearchLimit } from '../src/edge/search/search-limit.ts'
import type { CoordinatedEnvironment } from './coordination.ts'
import { answerApi, log, scheduled, wait } from './coordination.ts'

export { BuildCoordinator, RebuildCoordinator, SearchShard, SiteCoordinator } from './coordination.ts'

type WorkerEnvironment = CoordinatedEnvironment & {
  /** Reads the files of the version that this Worker belongs to. */
  readonly ASSETS: { fetch(request: Request): Promise<Response> }
  /** Absent in a Worker that was deployed with an older configuration. Then no search is refused. */
  readonly SEARCH_LIMIT?: RateLimit
}

// All requests of this isolate share these objects.
const loadShell = createShellLoader()
const loadSearch = createSearchLoader({ now: Date.now, wait })

export default {
  async fetch(request: Request, environment: WorkerEnvironment): Promise<Response> {
    // Cloudflare sends only calls and searches to the Worker. Should another request arrive, the API answers with 404.
    if (!isSearch(request)) return answerApi(request, environment)
    const { ASSETS, SEARCH_LIMIT } = environment
    return answerSearch(request, {
      assets: ASSETS,
      loadShell,
      loadSearch,
      isAllowed: SEARCH_LIMIT === undefined ? async () => true : createSearchLimit(SEARCH_LIMIT),
      wait,
      log,
    })
  },

  scheduled,
}
