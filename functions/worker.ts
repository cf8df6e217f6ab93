/** The Worker's entry. It handles `/api/rebuild*`, `/buscar` and the nightly timer. Cloudflare serves all other files. */
import type { Namespace, RateLimit } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import type { CallEnvironment } from '../src/edge/api/call-guard.ts'
import { createCallGuard } from '../src/edge/api/call-guard.ts'
import { answerCall } from '../src/edge/api/routes.ts'
import type { Coordinator } from '../src/edge/coordinator/coordinator.ts'
import type { Variables } from '../src/edge/coordinator/coordinator-settings.ts'
import { parseSecrets } from '../src/edge/coordinator/coordinator-settings.ts'
import { requestNightly } from '../src/edge/coordinator/request-nightly.ts'
import { answerSearch, isSearch } from '../src/edge/search/answer-search.ts'
import { createSearchLoader, createShellLoader } from '../src/edge/search/load-search.ts'
import { createSearchLimit } from '../src/edge/search/search-limit.ts'

export { SiteCoordinator } from '../src/edge/coordinator/site-coordinator.ts'

/**
 * Classes of earlier releases. Cloudflare refuses code without a class that has a storage, and no class may be deleted
 * while a live version has a binding to it. A later release deletes them, in a deployment of its own.
 */
export class RebuildCoordinator extends DurableObject<WorkerEnvironment> {}
export class SearchShard extends DurableObject<WorkerEnvironment> {}

export interface WorkerEnvironment extends Variables, CallEnvironment {
  readonly COORDINATOR: Namespace<Coordinator>
  /** Reads the files of the version that this Worker belongs to. */
  readonly ASSETS: { fetch(request: Request): Promise<Response> }
  /** Absent in a Worker that was deployed with an older configuration. Then no search is refused. */
  readonly SEARCH_LIMIT?: RateLimit
}

const log = (line: string): void => console.error(line)
const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

// All requests of this isolate share these objects.
const guard = createCallGuard(log)
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

  /** Requests a full read every night. */
  async scheduled(
    { scheduledTime }: { scheduledTime: number },
    environment: WorkerEnvironment,
  ): Promise<void> {
    await requestNightly(() => openCoordinator(environment), scheduledTime)
  },
}

function answerApi(request: Request, environment: WorkerEnvironment): Promise<Response> {
  return answerCall(request, {
    secrets: parseSecrets(environment),
    guard,
    ...(environment.CALL_LIMIT !== undefined && { limit: environment.CALL_LIMIT }),
    openCoordinator: () => openCoordinator(environment),
    log,
  })
}

function openCoordinator({ COORDINATOR }: WorkerEnvironment): Coordinator {
  return COORDINATOR.getByName('site')
}
