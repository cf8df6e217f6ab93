/** The entry of the Worker of a site of objects: serves pages and pictures, and handles `/api/rebuild*` and the queues. */
import type { MessageBatch, Namespace, Queue, R2Bucket } from 'cloudflare:workers'
import * as compiled from 'vitrina:compiled'
import type { CallEnvironment } from '../src/edge/api/call-guard.ts'
import { createCallGuard } from '../src/edge/api/call-guard.ts'
import { answerCall } from '../src/edge/api/routes.ts'
import type { ChangeLedger, ChangeMessage } from '../src/edge/coordinator/change-ledger.ts'
import type { Coordinator } from '../src/edge/coordinator/coordinator.ts'
import type { Variables } from '../src/edge/coordinator/coordinator-settings.ts'
import { parseSecrets } from '../src/edge/coordinator/coordinator-settings.ts'
import type { ObjectLedger } from '../src/edge/coordinator/object-ledger.ts'
import type { ChangeHost } from '../src/edge/intake/change-host.ts'
import { consumeQueue } from '../src/edge/intake/consume-queue.ts'
import { openSellerSource } from '../src/edge/intake/open-seller-source.ts'
import { openRenderer } from '../src/edge/pages/compiled-renderer.ts'
import type { ObjectHost } from '../src/edge/pages/object-host.ts'
import { createPageCache } from '../src/edge/pages/page-cache.ts'
import { createR2Store } from '../src/edge/pages/r2-store.ts'
import { listAddresses } from '../src/edge/pages/route-page.ts'
import { readMaxAge } from '../src/edge/pages/serve-settings.ts'
import { serve } from '../src/edge/pages/serve.ts'
import { createWorkRoom } from '../src/edge/pages/work-room.ts'
import { answerSearch } from '../src/edge/search/answer-search.ts'
import { createFeeder } from '../src/edge/search/feed-objects.ts'
import { openIndex } from '../src/edge/search/open-index.ts'
import type { PageEnvironment } from '../src/edge/search/open-search.ts'
import { isSearch, openSearch } from '../src/edge/search/open-search.ts'

export { RebuildCoordinator } from '../src/edge/coordinator/rebuild-coordinator.ts'
export { SearchShard } from '../src/edge/search/search-shard.ts'

export interface ObjectsEnvironment extends Variables, PageEnvironment, CallEnvironment {
  readonly ASSETS: { fetch(request: Request): Promise<Response> }
  readonly COORDINATOR: Namespace<SiteLedger>
  readonly PAGES: R2Bucket
  readonly CHANGES: Queue<ChangeMessage>
  /** In seconds. */
  readonly EDGE_MAX_AGE?: string
}

/** What the Worker asks the coordinator for. */
type SiteLedger = Coordinator & ObjectLedger & ChangeLedger

export interface Context {
  waitUntil(work: Promise<void>): void
}

const renderer = openRenderer(compiled)
const log = (line: string): void => console.error(line)
// One for all requests of this isolate.
const guard = createCallGuard(log)

// The runtime's own cache, which the types of browsers do not have.
const { default: hostCache } = caches as unknown as { readonly default: Cache }

// One for all requests of this isolate.
const room = createWorkRoom()

// Kept under the site's address, at whatever address this Worker is called. One for all requests of this isolate.
const cache = createPageCache(hostCache, { origin: renderer.site.url, code: renderer.code, log })

export default {
  fetch(request: Request, environment: ObjectsEnvironment, context: Context): Promise<Response> {
    if (new URL(request.url).pathname.startsWith('/api/')) return answerApi(request, environment)
    if (isSearch(request)) return answerVisitor(request, environment, context)
    return serve(request, {
      store: createR2Store(environment.PAGES),
      room,
      cache,
      assets: environment.ASSETS,
      openLedger: () => openCoordinator(environment),
      renderer,
      maxAge: readMaxAge(environment.EDGE_MAX_AGE),
      now: Date.now,
      later: (work) => context.waitUntil(work),
      wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
      log,
    })
  },

  /** Requests a full read every night. */
  async scheduled(
    { scheduledTime }: { scheduledTime: number },
    environment: ObjectsEnvironment,
  ): Promise<void> {
    const id = `nightly_${scheduledTime}`
    await openCoordinator(environment).accept({ id, sellers: [], isFull: true })
  },

  queue(batch: MessageBatch<unknown>, environment: ObjectsEnvironment): Promise<void> {
    return consumeQueue(batch, openChangeHost(environment))
  },
}

function answerVisitor(
  request: Request,
  environment: ObjectsEnvironment,
  context: Context,
): Promise<Response> {
  const world = openSearch({
    lane: 'objects',
    environment,
    renderer,
    cache: hostCache,
    maxAge: readMaxAge(environment.EDGE_MAX_AGE),
    later: (work) => context.waitUntil(work),
    log,
  })
  return answerSearch(request, world)
}

function answerApi(request: Request, environment: ObjectsEnvironment): Promise<Response> {
  const index = openIndex(environment, 'objects', log)
  return answerCall(request, {
    secrets: parseSecrets(environment),
    guard,
    ...(environment.CALL_LIMIT !== undefined && { limit: environment.CALL_LIMIT }),
    openCoordinator: () => openCoordinator(environment),
    openObjects: () => openHost(environment),
    ...(index !== null && { openSearch: () => ({ index, store: createR2Store(environment.PAGES) }) }),
    log,
  })
}

function openHost(environment: ObjectsEnvironment): ObjectHost {
  const index = openIndex(environment, 'objects', log)
  return {
    store: createR2Store(environment.PAGES),
    renderer,
    ledger: openCoordinator(environment),
    forgetPages: async (name) => {
      await Promise.all(listAddresses(name).map((address) => cache.forget(address, Date.now())))
    },
    ...(index !== null && { feedIndex: createFeeder(index, log) }),
    log,
  }
}

function openChangeHost(environment: ObjectsEnvironment): ChangeHost {
  const { data, intake } = compiled.facts
  return {
    ...openHost(environment),
    ledger: openCoordinator(environment),
    source: openSellerSource(environment),
    intake: { ...data, intake },
  }
}

function openCoordinator({ COORDINATOR }: ObjectsEnvironment): SiteLedger {
  return COORDINATOR.getByName('site')
}
