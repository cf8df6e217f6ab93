/** The Worker's entry. It handles `/api/rebuild*`, `/buscar` and the nightly timer. Cloudflare serves all other files. */
import type { Namespace } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import { compiled } from 'vitrina:compiled'
import type { CallEnvironment } from '../src/edge/api/call-guard.ts'
import { createCallGuard } from '../src/edge/api/call-guard.ts'
import { answerCall } from '../src/edge/api/routes.ts'
import type { Coordinator } from '../src/edge/coordinator/coordinator.ts'
import type { Variables } from '../src/edge/coordinator/coordinator-settings.ts'
import { parseSecrets } from '../src/edge/coordinator/coordinator-settings.ts'
import { requestNightly } from '../src/edge/coordinator/request-nightly.ts'
import { answerSearch, answerUnavailable, warmUp } from '../src/edge/search/answer-search.ts'
import { createBriefCache } from '../src/edge/search/brief-cache.ts'
import { openRenderer } from '../src/edge/search/compiled-renderer.ts'
import { openIndex } from '../src/edge/search/open-index.ts'
import type { PageEnvironment } from '../src/edge/search/open-search.ts'
import { isSearch, openSearch } from '../src/edge/search/open-search.ts'

export { SiteCoordinator } from '../src/edge/coordinator/site-coordinator.ts'
export { SearchShard } from '../src/edge/search/search-shard.ts'

/**
 * The coordinator's class of earlier releases. Nothing is bound to it, but Cloudflare refuses code without a class that
 * has a storage. A later release deletes the class, in a deployment of its own.
 */
export class RebuildCoordinator extends DurableObject<WorkerEnvironment> {}

export interface WorkerEnvironment extends Variables, PageEnvironment, CallEnvironment {
  readonly COORDINATOR: Namespace<Coordinator>
}

export interface Context {
  waitUntil(work: Promise<void>): void
}

const renderer = compiled === null ? null : openRenderer(compiled)
const log = (line: string): void => console.error(line)

// Warms up the search during start-up: start-up time does not count towards the limit of any request, and the first
// search would otherwise be slow.
if (renderer?.site.search === true) await warmUp(renderer)

// TypeScript's browser types do not declare `caches.default`, the runtime's own cache.
const { default: runtimeCache } = caches as unknown as { readonly default: Cache }

// All requests of this isolate share these objects.
const guard = createCallGuard(log)
const cache = createBriefCache(runtimeCache, Date.now)

export default {
  async fetch(request: Request, environment: WorkerEnvironment, context: Context): Promise<Response> {
    // Cloudflare sends only calls and searches to the Worker. Should another request arrive, the API answers with 404.
    if (!isSearch(request)) return answerApi(request, environment)
    if (renderer === null) return answerUnavailable()
    const later = (work: Promise<void>): void => context.waitUntil(work)
    return answerSearch(request, openSearch({ environment, renderer, cache, later, log }))
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
  const index = openIndex(environment, log)
  return answerCall(request, {
    secrets: parseSecrets(environment),
    guard,
    ...(environment.CALL_LIMIT !== undefined && { limit: environment.CALL_LIMIT }),
    openCoordinator: () => openCoordinator(environment),
    ...(index !== null && { openSearch: () => index }),
    log,
  })
}

function openCoordinator({ COORDINATOR }: WorkerEnvironment): Coordinator {
  return COORDINATOR.getByName('site')
}
