/** The Worker's entry. It handles `/api/*`, `/buscar` and the nightly timer. Cloudflare serves all other files. */
import type { Namespace, RateLimit } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import type { Coordinator } from '../src/edge/api/answer-call.ts'
import { answerCall } from '../src/edge/api/answer-call.ts'
import type { SiteFiles } from '../src/edge/coordinator/read-live.ts'
import { readLive } from '../src/edge/coordinator/read-live.ts'
import { requestNightly } from '../src/edge/coordinator/request-nightly.ts'
import type { Variables } from '../src/edge/coordinator/settings.ts'
import { parseCallSecrets } from '../src/edge/coordinator/settings.ts'
import { answerSearch, isSearch } from '../src/edge/search/answer-search.ts'
import { createSearchLoader, createShellLoader } from '../src/edge/search/load-search.ts'
import { createSearchLimit } from '../src/edge/search/search-limit.ts'

export { BuildCoordinator } from '../src/edge/coordinator/build-coordinator.ts'

/**
 * Classes of earlier releases. Cloudflare refuses code without a class that has a storage, and no class may be deleted
 * while a live version has a binding to it. A later release deletes them, in a deployment of its own.
 */
export class RebuildCoordinator extends DurableObject<WorkerEnvironment> {}
export class SearchShard extends DurableObject<WorkerEnvironment> {}
export class SiteCoordinator extends DurableObject<WorkerEnvironment> {}

export interface WorkerEnvironment extends Variables, SiteFiles {
  readonly COORDINATOR: Namespace<Coordinator>
  /** Absent in a Worker that was deployed with an older configuration. Then no search is refused. */
  readonly SEARCH_LIMIT?: RateLimit
}

const log = (line: string): void => console.error(line)
const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

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

  /** Asks for everything every night. */
  async scheduled(_: unknown, environment: WorkerEnvironment): Promise<void> {
    await requestNightly(() => openCoordinator(environment))
  },
}

function answerApi(request: Request, environment: WorkerEnvironment): Promise<Response> {
  return answerCall(request, {
    secrets: parseCallSecrets(environment),
    openCoordinator: () => openCoordinator(environment),
    readLive: () => readLive(environment),
    log,
  })
}

function openCoordinator({ COORDINATOR }: WorkerEnvironment): Coordinator {
  return COORDINATOR.getByName('site')
}
