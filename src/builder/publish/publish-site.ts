/**
 * Publishes the site. After a failure, visitors get either the old site or the new one, and the error says which if
 * that is known.
 */
import type { Status } from '../../domain/wire/coordinator-status.ts'
import { lookAgain } from '../../domain/work/try-again.ts'
import { CallError } from './coordinator/coordinator-client.ts'
import type { Drift } from './drift.ts'
import { findDrift } from './drift.ts'
import type { ForcedOutcome } from './force-site.ts'
import { forceSite } from './force-site.ts'
import type { Hosted } from './cloudflare/hosted-versions.ts'
import { isSetUp } from './cloudflare/hosted-versions.ts'
import { PublishError, readSentence } from './publish-error.ts'
import { createLive, reportLate, showSeen, upload } from './publish-steps.ts'
import type { PublishOutcome, PublishWorld } from './publish-world.ts'
import { createRefusal, switchVersion } from './switch-version.ts'

// Number of further looks at the host, and the pause before each in milliseconds. They give another publishing machine
// time to report its switch to a new version to the coordinator.
const AGAIN = 3
const PAUSE = 2_000

export async function publishSite(world: PublishWorld): Promise<PublishOutcome | ForcedOutcome> {
  // A failure is ignored here: if the host does not answer, the upload fails, too, and its error says why.
  const hosted = await world.hosting.readHosted().catch(() => null)
  if (hosted !== null && !isSetUp(hosted))
    throw new PublishError(
      'This site was never published, so it has no coordinator yet: npm run deploy -- --setup publishes it.',
    )
  try {
    return await publishWithLeave(world, hosted)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (world.isForced) return forceSite(world, hosted, error)
    throw new CallError(
      `${readSentence(error)} Nothing was published. To publish an urgent fix without the coordinator, run npm run deploy -- --force.`,
      error.status,
    )
  }
}

async function publishWithLeave(world: PublishWorld, hosted: Hosted | null): Promise<PublishOutcome> {
  const { gate, published, digest, progress } = world
  await reportLate(published, gate)
  const before = published.readLive()
  const status = await checkDrift(hosted, world)
  checkPlace(status, world)
  progress('Listing the files')
  const verification = world.verify()
  const { live, doubtful } = status.publishing
  const isSame = before?.digest === digest && live?.version === before.version && doubtful === null
  if (isSame) {
    await showSeen(world, before, verification)
    return { kind: 'unchanged', version: before.version, uploaded: null, verification }
  }
  const uploaded = await upload(world, verification)
  await switchVersion(createLive(uploaded.version, world), before, world)
  await showSeen(world, createLive(uploaded.version, world), verification)
  return { kind: 'published', version: uploaded.version, uploaded, verification }
}

/**
 * Refuses to publish over a version that was put live at the host by hand: throws a `PublishError` if `findDrift`
 * still finds a difference after several looks. Returns the coordinator's status. `hosted` is the result of the first
 * look at the host; `null` if the host did not answer, which skips the check.
 */
async function checkDrift(
  hosted: Hosted | null,
  { hosting, gate, pause = PAUSE }: Pick<PublishWorld, 'hosting' | 'gate' | 'pause'>,
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
    `Nothing was published: ${drift.what}. The live version was changed without the coordinator, or another machine is publishing. To go on: ${drift.advice}.`,
  )
}

/**
 * Throws if publishing is held or a later version is live, before anything is uploaded. The coordinator repeats the
 * check when it grants the lease.
 */
function checkPlace({ publishing: { held, live } }: Status, { sequence }: PublishWorld): void {
  if (held !== null) throw createRefusal('held', held.reason)
  if (live !== null && live.sequence > sequence)
    throw createRefusal('older', `version ${live.version} is live, built from sequence ${live.sequence}`)
}
