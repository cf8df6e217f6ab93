/**
 * The Worker's entry. It handles `/api/rebuild*`, `/buscar` and the nightly timer. With `HOSTING=objects` it also
 * serves pages and pictures from an R2 bucket. With `HOSTING=assets`, pages are static files, which Cloudflare serves
 * without the Worker.
 */
import type { Namespace, R2Bucket } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import { compiled } from 'vitrina:compiled'
import type { CallEnvironment } from '../src/edge/api/call-guard.ts'
import { createCallGuard } from '../src/edge/api/call-guard.ts'
import { answerCall } from '../src/edge/api/routes.ts'
import type { Coordinator } from '../src/edge/coordinator/coordinator.ts'
import type { Variables } from '../src/edge/coordinator/coordinator-settings.ts'
import { parseSecrets } from '../src/edge/coordinator/coordinator-settings.ts'
import type { ObjectLedger } from '../src/edge/coordinator/object-ledger.ts'
import { requestNightly } from '../src/edge/coordinator/request-nightly.ts'
import { openObjectRenderer, openScreens } from '../src/edge/objects/compiled-renderer.ts'
import type { EdgeRenderer } from '../src/edge/objects/edge-renderer.ts'
import type { ObjectHost } from '../src/edge/objects/object-host.ts'
import { createBriefCache } from '../src/edge/pages/brief-cache.ts'
import { createPageCache } from '../src/edge/pages/page-cache.ts'
import { createR2Store } from '../src/edge/objects/r2-store.ts'
import { listAddresses } from '../src/edge/pages/route-page.ts'
import { readMaxAge } from '../src/edge/pages/serve-settings.ts'
import { serve } from '../src/edge/pages/serve.ts'
import { createWorkRoom } from '../src/edge/pages/work-room.ts'
import { answerSearch, answerUnavailable, warmUp } from '../src/edge/search/answer-search.ts'
import { createFeeder } from '../src/edge/search/feed-objects.ts'
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
  readonly COORDINATOR: Namespace<SiteLedger>
  /** Max age of pages and search results in the edge cache, in seconds. */
  readonly EDGE_MAX_AGE?: string
  /** `PAGES` and `ASSETS` are bound only with `HOSTING=objects`. */
  readonly PAGES?: R2Bucket
  readonly ASSETS?: { fetch(request: Request): Promise<Response> }
}

type ObjectsEnvironment = WorkerEnvironment & Required<Pick<WorkerEnvironment, 'PAGES' | 'ASSETS'>>

/** The coordinator's methods that the Worker calls. */
type SiteLedger = Coordinator & ObjectLedger

export interface Context {
  waitUntil(work: Promise<void>): void
}

const screens = compiled === null ? null : openScreens(compiled)
const renderer = compiled === null ? null : openObjectRenderer(compiled)
const log = (line: string): void => console.error(line)

// Warms up the search during start-up: start-up time does not count towards the limit of any request, and the first
// search would otherwise be slow.
if (screens?.site.search === true) await warmUp(screens)

// TypeScript's browser types do not declare `caches.default`, the runtime's own cache.
const { default: runtimeCache } = caches as unknown as { readonly default: Cache }

// All requests of this isolate share these objects. The cache's keys begin with the site's own address, so that
// requests to another host name use the same entries.
const guard = createCallGuard(log)
const room = createWorkRoom(Date.now)
const hostCache = createBriefCache(runtimeCache, Date.now)
const cache = createPageCache(hostCache, {
  origin: screens?.site.url ?? '',
  code: screens?.code ?? '',
  log,
})

export default {
  fetch(request: Request, environment: WorkerEnvironment, context: Context): Promise<Response> {
    const isCall = new URL(request.url).pathname.startsWith('/api/')
    if (!isCall && isSearch(request)) return answerVisitor(request, environment, context)
    // With `HOSTING=assets`, Cloudflare sends only calls and searches to the Worker. Should another request arrive, the
    // API answers with 404.
    return isCall || !hasObjects(environment)
      ? answerApi(request, environment)
      : answerPage(request, environment, context)
  },

  /** Requests a full read every night. */
  async scheduled(
    { scheduledTime }: { scheduledTime: number },
    environment: WorkerEnvironment,
  ): Promise<void> {
    await requestNightly(() => openCoordinator(environment), scheduledTime)
  },
}

async function answerVisitor(
  request: Request,
  environment: WorkerEnvironment,
  context: Context,
): Promise<Response> {
  if (screens === null) return answerUnavailable()
  const world = openSearch({
    lane: findLane(environment),
    environment,
    renderer: screens,
    cache: hostCache,
    maxAge: readMaxAge(environment.EDGE_MAX_AGE),
    later: (work) => context.waitUntil(work),
    log,
  })
  return answerSearch(request, world)
}

function answerPage(request: Request, environment: ObjectsEnvironment, context: Context): Promise<Response> {
  return serve(request, {
    store: createR2Store(environment.PAGES),
    room,
    cache,
    assets: environment.ASSETS,
    openLedger: () => openCoordinator(environment),
    renderer: readRenderer(),
    maxAge: readMaxAge(environment.EDGE_MAX_AGE),
    now: Date.now,
    later: (work) => context.waitUntil(work),
    wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    log,
  })
}

function answerApi(request: Request, environment: WorkerEnvironment): Promise<Response> {
  const lane = findLane(environment)
  const index = openIndex(environment, lane, log)
  return answerCall(request, {
    secrets: parseSecrets(environment),
    guard,
    ...(environment.CALL_LIMIT !== undefined && { limit: environment.CALL_LIMIT }),
    openCoordinator: () => openCoordinator(environment),
    ...(hasObjects(environment) && { openObjects: () => openHost(environment) }),
    ...(index !== null && { openSearch: () => ({ index, lane }) }),
    log,
  })
}

function openHost(environment: ObjectsEnvironment): ObjectHost {
  const index = openIndex(environment, 'objects', log)
  return {
    store: createR2Store(environment.PAGES),
    renderer: readRenderer(),
    ledger: openCoordinator(environment),
    forgetPages: async (name) => {
      await Promise.all(listAddresses(name).map((address) => cache.forget(address, Date.now())))
    },
    ...(index !== null && { feedIndex: createFeeder(index, log) }),
    log,
  }
}

function readRenderer(): EdgeRenderer {
  if (renderer === null)
    throw new Error('this Worker has an R2 bucket, but was compiled for HOSTING=assets: deploy it again')
  return renderer
}

function hasObjects(environment: WorkerEnvironment): environment is ObjectsEnvironment {
  return environment.PAGES !== undefined
}

function findLane(environment: WorkerEnvironment): 'assets' | 'objects' {
  return hasObjects(environment) ? 'objects' : 'assets'
}

function openCoordinator({ COORDINATOR }: WorkerEnvironment): SiteLedger {
  return COORDINATOR.getByName('site')
}
