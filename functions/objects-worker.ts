/** The entry of the Worker of a site of objects: serves pages and pictures, and handles `/api/rebuild*`. */
import type { Namespace, R2Bucket } from 'cloudflare:workers'
import * as compiled from 'vitrina:compiled'
import { answerCall } from '../src/edge/api/routes.ts'
import type { Coordinator } from '../src/edge/coordinator/coordinator.ts'
import type { Variables } from '../src/edge/coordinator/coordinator-settings.ts'
import { parseSecrets } from '../src/edge/coordinator/coordinator-settings.ts'
import type { ObjectLedger } from '../src/edge/coordinator/object-ledger.ts'
import { openRenderer } from '../src/edge/pages/compiled-renderer.ts'
import type { PageCache } from '../src/edge/pages/page-cache.ts'
import { createPageCache } from '../src/edge/pages/page-cache.ts'
import { createR2Store } from '../src/edge/pages/r2-store.ts'
import { readMaxAge } from '../src/edge/pages/serve-settings.ts'
import { serve } from '../src/edge/pages/serve.ts'

export { RebuildCoordinator } from '../src/edge/coordinator/rebuild-coordinator.ts'

interface Environment extends Variables {
  readonly ASSETS: { fetch(request: Request): Promise<Response> }
  readonly COORDINATOR: Namespace<Coordinator & ObjectLedger>
  readonly PAGES: R2Bucket
  /** In seconds. */
  readonly EDGE_MAX_AGE?: string
}

interface Context {
  waitUntil(work: Promise<void>): void
}

const renderer = openRenderer(compiled)
const log = (line: string): void => console.error(line)
const { default: hostCache } = caches as unknown as { readonly default: Cache }

let cache: { readonly origin: string; readonly pages: PageCache } | null = null

export default {
  fetch(request: Request, environment: Environment, context: Context): Promise<Response> {
    const { pathname, origin } = new URL(request.url)
    if (pathname.startsWith('/api/')) return answerApi(request, environment)
    return serve(request, {
      store: createR2Store(environment.PAGES),
      cache: openCache(origin),
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
  async scheduled({ scheduledTime }: { scheduledTime: number }, environment: Environment): Promise<void> {
    const id = `nightly_${scheduledTime}`
    await openCoordinator(environment).accept({ id, sellers: [], isFull: true })
  },

  /** Messages of the refill. */
  async queue(): Promise<void> {},
}

function answerApi(request: Request, environment: Environment): Promise<Response> {
  return answerCall(request, {
    secrets: parseSecrets(environment),
    openCoordinator: () => openCoordinator(environment),
    log,
  })
}

// Its memory of reads is one for all requests of this isolate.
function openCache(origin: string): PageCache {
  if (cache?.origin !== origin)
    cache = { origin, pages: createPageCache(hostCache, { origin, code: renderer.code, log }) }
  return cache.pages
}

function openCoordinator({ COORDINATOR }: Environment): Coordinator & ObjectLedger {
  return COORDINATOR.getByName('site')
}
