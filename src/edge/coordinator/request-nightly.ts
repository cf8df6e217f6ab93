/** Requests the nightly full read from the coordinator. */
import { growDelay } from '../../domain/wire/backoff.ts'
import { tryAgain } from '../../domain/work/try-again.ts'
import type { Coordinator } from './coordinator.ts'

/** Max tries. With the pauses between them, they take about two minutes: longer than a restart of the coordinator. */
const TRIES = 8

const PAUSE = { first: 1_000, longest: 60_000 }

/**
 * Tries again if the coordinator fails, because Cloudflare does not repeat a timer that failed. The coordinator counts
 * all tries as one request. `open` is called for each try; `time`: when the timer was due.
 */
export async function requestNightly(
  open: () => Pick<Coordinator, 'accept'>,
  time: number,
  wait?: (ms: number) => Promise<unknown>,
): Promise<void> {
  const notice = { id: `nightly_${time}`, sellers: [], isFull: true }
  await tryAgain(() => open().accept(notice), {
    most: TRIES,
    findPause: (failures) => growDelay(PAUSE, failures, Math.random()),
    ...(wait !== undefined && { wait }),
  })
}
