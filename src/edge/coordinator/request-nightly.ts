/** Asks the coordinator for the nightly read of everything. */
import { growDelay } from '../../domain/wire/backoff.ts'
import { tryAgain } from '../../domain/work/try-again.ts'
import type { BuildCoordinator } from './build-coordinator.ts'

/** Max tries. With the pauses between them, they take about two minutes: longer than a restart of the coordinator. */
const TRIES = 8

const PAUSE = { first: 1_000, longest: 60_000 }

/** Tries again if the coordinator fails, because Cloudflare does not repeat a timer that failed. */
export async function requestNightly(
  open: () => Pick<BuildCoordinator, 'notice'>,
  wait?: (ms: number) => Promise<unknown>,
): Promise<void> {
  await tryAgain(() => open().notice({ full: true }), {
    most: TRIES,
    findPause: (failures) => growDelay(PAUSE, failures, Math.random()),
    ...(wait !== undefined && { wait }),
  })
}
