/** What both Workers share, whether assets or a bucket have the files: the coordinator, its calls and its timer. */
import type { Namespace } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import { growDelay } from '../src/domain/work/backoff.ts'
import { tryAgain } from '../src/domain/work/try-again.ts'
import type { Coordinator } from '../src/edge/api/answer-call.ts'
import { answerCall } from '../src/edge/api/answer-call.ts'
import type { SiteFiles } from '../src/edge/coordinator/read-live.ts'
import { readLive } from '../src/edge/coordinator/read-live.ts'
import type { Variables } from '../src/edge/coordinator/settings.ts'
import { parseCallSecrets } from '../src/edge/coordinator/settings.ts'

export { BuildCoordinator } from '../src/edge/coordinator/build-coordinator.ts'

/**
 * Classes of earlier releases. Cloudflare refuses code without a class that has a storage, and no class may be deleted
 * while a live version has a binding to it. A later release deletes them, in a deployment of its own.
 */
export class RebuildCoordinator extends DurableObject<object> {}
export class SearchShard extends DurableObject<object> {}
export class SiteCoordinator extends DurableObject<object> {}

export type CoordinatedEnvironment = Variables & SiteFiles & { readonly COORDINATOR: Namespace<Coordinator> }

/** With the pauses between them, the tries of a night take two minutes: longer than a restart of the coordinator. */
const TRIES = 8
const PAUSE = { first: 1_000, longest: 60_000 }

export const log = (line: string): void => console.error(line)
export const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

export function openCoordinator({ COORDINATOR }: CoordinatedEnvironment): Coordinator {
  return COORDINATOR.getByName('site')
}

export function answerApi(request: Request, environment: CoordinatedEnvironment): Promise<Response> {
  return answerCall(request, {
    secrets: parseCallSecrets(environment),
    openCoordinator: () => openCoordinator(environment),
    readLive: () => readLive(environment),
    log,
  })
}

/** Asks for everything every night. Tries again if that fails, because Cloudflare does not repeat a timer. */
export async function scheduled(_: unknown, environment: CoordinatedEnvironment): Promise<void> {
  await tryAgain(() => openCoordinator(environment).notice({ full: true }), {
    most: TRIES,
    findPause: (failures) => growDelay(PAUSE, failures, Math.random()),
  })
}
