/** Publishes for the first time, or with changed settings outside versions: addresses, schedule, migrations. */
import type { Uploaded } from './hosting.ts'
import { PublishError } from './publish-error.ts'
import type { PublishOutcome, PublishWorld } from './publish-site.ts'
import { createLive, createUpload } from './publish-site.ts'

const REASON = 'the site is being set up'

/** Holds other publishers through the coordinator of an existing site. */
export async function setUpSite(world: PublishWorld): Promise<PublishOutcome & { readonly isTold: boolean }> {
  const { hosting, published, progress } = world
  const verification = await world.verify()
  const isGuarded = await holdOthers(world)
  progress('Uploading and setting up')
  const uploaded = await hosting.deployWhole(createUpload(world, verification))
  published.writeLive(createLive(uploaded.version, world))
  const isTold = await tell(uploaded, world, isGuarded)
  return { kind: 'published', version: uploaded.version, uploaded, verification, isTold }
}

/** Returns `false` without a live site. */
async function holdOthers({ gate, hosting, sequence }: PublishWorld): Promise<boolean> {
  const live = await hosting.findLive()
  if (live === null) return false
  const { publishing } = await gate.readStatus()
  if (publishing.held !== null && publishing.held.reason !== REASON)
    throw new PublishError(
      `Publishing is held (${publishing.held.reason}): npm run deploy -- --release ends that.`,
    )
  if ((publishing.live?.sequence ?? 0) > sequence)
    throw new PublishError(
      'This state is older than the live site: run npm run rebuild -- --pending, then try again.',
    )
  const { busyUntil } = await gate.hold(REASON, null)
  if (busyUntil === null) return true
  await gate.release()
  throw new PublishError('Another machine publishes just now: try again in a minute.')
}

/** A failure is no error for a new site, which may not be reachable yet or may have no secret. */
async function tell(
  { version }: Uploaded,
  { gate, sequence }: PublishWorld,
  isGuarded: boolean,
): Promise<boolean> {
  try {
    await gate.hold(REASON, { version, sequence })
    await gate.release()
    return true
  } catch (error) {
    if (!isGuarded) return false
    throw new PublishError(
      `Version ${version} is live, but its coordinator could not be told: run npm run deploy -- --setup again.`,
      { cause: error },
    )
  }
}
