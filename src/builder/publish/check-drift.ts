/** Refuses to publish over a version that somebody put live at the host itself. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Status } from '../../domain/wire/coordinator-status.ts'
import { findDrift } from './drift.ts'
import type { Hosted } from './hosted-versions.ts'
import type { Hosting } from './hosting.ts'
import type { PublishApproval } from './publish-approval.ts'
import { PublishError } from './publish-error.ts'

interface DriftWorld {
  readonly hosting: Pick<Hosting, 'readHosted'>
  readonly gate: Pick<PublishApproval, 'readStatus'>
  /** Pause before another look, in milliseconds. */
  readonly pause?: number
}

// A machine that publishes now is between its switch and its report for a moment.
const LOOKS = 4
const PAUSE = 2_000

/** `hosted` is `null` when the host could not be asked. Returns the coordinator's status. */
export async function checkDrift(
  hosted: Hosted | null,
  { hosting, gate, pause = PAUSE }: DriftWorld,
): Promise<Status> {
  const status = await gate.readStatus()
  let drift = hosted === null ? null : findDrift(hosted, status.publishing)
  for (let look = 2; drift !== null && look <= LOOKS; look += 1) {
    await wait(pause)
    const [now, again] = await Promise.all([hosting.readHosted(), gate.readStatus()])
    drift = findDrift(now, again.publishing)
    if (drift === null) return again
  }
  if (drift === null) return status
  throw new PublishError(
    `Nothing was published: ${drift.what}, so somebody else put that live, or another machine is publishing. npm run deploy -- --hold keeps it; npm run deploy -- --release lets the next build replace it.`,
  )
}
