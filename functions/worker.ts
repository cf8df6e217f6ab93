/** The Worker's entry. Handles `/api/rebuild*` only; pages and files are static assets that are served without it. */
import type { Namespace } from 'cloudflare:workers'
import type { Coordinator } from '../src/edge/coordinator/coordinator.ts'
import type { Variables } from '../src/edge/coordinator/coordinator-settings.ts'
import { parseSecrets } from '../src/edge/coordinator/coordinator-settings.ts'
import { answerCall } from '../src/edge/api/routes.ts'

export { RebuildCoordinator } from '../src/edge/coordinator/rebuild-coordinator.ts'

interface Environment extends Variables {
  readonly COORDINATOR: Namespace<Coordinator>
}

export default {
  fetch(request: Request, environment: Environment): Promise<Response> {
    return answerCall(request, {
      secrets: parseSecrets(environment),
      openCoordinator: () => openCoordinator(environment),
      log: (line) => console.error(line),
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
