/** Refuses to publish over a version that was put live at the host by hand. */
import type { Status } from '../../domain/wire/coordinator-status.ts'
import { lookAgain } from '../../domain/work/try-again.ts'
import type { Drift } from './drift.ts'
import { findDrift } from './drift.ts'
import type { Hosted } from './cloudflare/hosted-versions.ts'
import type { Hosting } from './cloudflare/hosting.ts'
import type { PublishApproval } from './coordinator/publish-approval.ts'
import { PublishError } from './publish-error.ts'

interface DriftWorld {
  readonly hosting: Pick<Hosting, 'readHosted'>
  readonly gate: Pick<PublishApproval, 'readStatus'>
  /** Pause before each further look at the host, in milliseconds. */
  readonly pause?: number
}

// Number of further looks, and the pause before each in milliseconds. They give another publishing machine time to
// report its switch to a new version to the coordinator.
const AGAIN = 3
const PAUSE = 2_000

/**
 * Throws a `PublishError` if the live version differs from the recorded one. Returns the coordinator's status. `hosted`
 * is the result of the first look at the host; `null` if the host did not answer, which skips the check.
 */
export async function checkDrift(
  hosted: Hosted | null,
  { hosting, gate, pause = PAUSE }: DriftWorld,
): Promise<Status> {
  let known: Promise<Hosted | null> | null = Promise.resolve(hosted)
  const look = async (): Promise<{ status: Status; drift: Drift | null }> => {
    const [now, status] = await Promise.all([known ?? hosting.readHosted(), gate.readStatus()])
    known = null
    return { status, drift: now === null ? null : findDrift(now, status.publishing) }
  }
  const { status, drift } = await lookAgain(look, {
    isDone: (found) => found.drift === null,
    pauses: Array(AGAIN).fill(pause),
  })
  if (drift === null) return status
  throw new PublishError(
    `Nothing was published: ${drift.what}. Another person has changed the live version, or another machine is publishing. npm run deploy -- --hold keeps what is live; npm run deploy -- --release lets the next build replace it.`,
  )
}
