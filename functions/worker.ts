/** The Worker's entry. Handles `/api/rebuild*` only; pages and files are static assets that are served without it. */
import type { Namespace } from 'cloudflare:workers'
import type { Coordinator } from '../src/edge/coordinator/coordinator.ts'
import type { Variables } from '../src/edge/coordinator/coordinator-settings.ts'
import { parseSecrets } from '../src/edge/coordinator/coordinator-settings.ts'
import { answerCall } from '../src/edge/api/routes.ts'
import type { SearchEnvironment } from '../src/edge/search/open-index.ts'
import { openIndex } from '../src/edge/search/open-index.ts'

export { RebuildCoordinator } from '../src/edge/coordinator/rebuild-coordinator.ts'
export { SearchShard } from '../src/edge/search/search-shard.ts'

interface Environment extends Variables, SearchEnvironment {
  readonly COORDINATOR: Namespace<Coordinator>
}

const log = (line: string): void => console.error(line)

export default {
  fetch(request: Request, environment: Environment): Promise<Response> {
    const index = openIndex(environment, 'assets', log)
    return answerCall(request, {
      secrets: parseSecrets(environment),
      openCoordinator: () => openCoordinator(environment),
      ...(index !== null && { openSearch: () => ({ index, store: null }) }),
      log,
    })
  },

  /** Requests a full read every night. */
  async scheduled({ scheduledTime }: { scheduledTime: number }, environment: Environment): Promise<void> {
    const id = `nightly_${scheduledTime}`
    await openCoordinator(environment).accept({ id, sellers: [], isFull: true })
  },
}

function openCoordinator({ COORDINATOR }: Environment): Coordinator {
  return COORDINATOR.getByName('site')
}
