/** The Worker's entry. Handles `/api/*` only; pages and files are static assets that are served without it. */
import type { Namespace } from 'cloudflare:workers'
import type { Coordinator } from '../src/edge/coordinator/coordinator.ts'
import { answerCall } from '../src/edge/api/routes.ts'

export { RebuildCoordinator } from '../src/edge/coordinator/rebuild-coordinator.ts'

interface Environment {
  readonly COORDINATOR: Namespace<Coordinator>
  readonly REBUILD_SECRET?: string
  readonly REBUILD_SECRET_PREVIOUS?: string
}

export default {
  fetch(request: Request, environment: Environment): Promise<Response> {
    return answerCall(request, {
      secrets: [environment.REBUILD_SECRET ?? '', environment.REBUILD_SECRET_PREVIOUS ?? ''],
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
