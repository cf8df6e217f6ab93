/** The Worker's entry. Handles `/buscar` and `/api/rebuild*` only; pages and files are static assets, served without it. */
import type { Namespace } from 'cloudflare:workers'
import { compiled } from 'vitrina:search'
import type { Coordinator } from '../src/edge/coordinator/coordinator.ts'
import type { Variables } from '../src/edge/coordinator/coordinator-settings.ts'
import { parseSecrets } from '../src/edge/coordinator/coordinator-settings.ts'
import type { CallEnvironment } from '../src/edge/api/call-guard.ts'
import { createCallGuard } from '../src/edge/api/call-guard.ts'
import { answerCall } from '../src/edge/api/routes.ts'
import { openScreens } from '../src/edge/pages/compiled-renderer.ts'
import { readMaxAge } from '../src/edge/pages/serve-settings.ts'
import { answerSearch, answerUnavailable } from '../src/edge/search/answer-search.ts'
import { openIndex } from '../src/edge/search/open-index.ts'
import type { PageEnvironment } from '../src/edge/search/open-search.ts'
import { isSearch, openSearch } from '../src/edge/search/open-search.ts'

export { RebuildCoordinator } from '../src/edge/coordinator/rebuild-coordinator.ts'
export { SearchShard } from '../src/edge/search/search-shard.ts'

interface Environment extends Variables, PageEnvironment, CallEnvironment {
  readonly COORDINATOR: Namespace<Coordinator>
  /** In seconds. */
  readonly EDGE_MAX_AGE?: string
}

interface Context {
  waitUntil(work: Promise<void>): void
}

const renderer = compiled === null ? null : openScreens(compiled)
const log = (line: string): void => console.error(line)
// One for all requests of this isolate.
const guard = createCallGuard(log)

// The runtime's own cache, which the types of browsers do not have.
const { default: cache } = caches as unknown as { readonly default: Cache }

export default {
  fetch(request: Request, environment: Environment, context: Context): Promise<Response> {
    return isSearch(request) ? answerVisitor(request, environment, context) : answerApi(request, environment)
  },

  /** Requests a full read every night. */
  async scheduled({ scheduledTime }: { scheduledTime: number }, environment: Environment): Promise<void> {
    const id = `nightly_${scheduledTime}`
    await openCoordinator(environment).accept({ id, sellers: [], isFull: true })
  },
}

async function answerVisitor(
  request: Request,
  environment: Environment,
  context: Context,
): Promise<Response> {
  if (renderer === null) return answerUnavailable()
  const world = openSearch({
    lane: 'assets',
    environment,
    renderer,
    cache,
    maxAge: readMaxAge(environment.EDGE_MAX_AGE),
    later: (work) => context.waitUntil(work),
    log,
  })
  return answerSearch(request, world)
}

function answerApi(request: Request, environment: Environment): Promise<Response> {
  const index = openIndex(environment, 'assets', log)
  return answerCall(request, {
    secrets: parseSecrets(environment),
    guard,
    ...(environment.CALL_LIMIT !== undefined && { limit: environment.CALL_LIMIT }),
    openCoordinator: () => openCoordinator(environment),
    ...(index !== null && { openSearch: () => ({ index, store: null }) }),
    log,
  })
}

function openCoordinator({ COORDINATOR }: Environment): Coordinator {
  return COORDINATOR.getByName('site')
}
