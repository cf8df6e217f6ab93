/**
 * The emergency publish: puts the verified site live without the coordinator's permission if a call to the coordinator
 * fails.
 */
import type { Hosted } from './cloudflare/hosted-versions.ts'
import { findPages, parseTag } from './cloudflare/hosted-versions.ts'
import type { Live } from './live-file.ts'
import { PublishError, readSentence } from './publish-error.ts'
import { createLive, reportLate, showSeen, upload } from './publish-steps.ts'
import type { PublishOutcome, PublishWorld } from './publish-world.ts'
import { describeSwitch, putLive } from './switch-version.ts'

export interface ForcedOutcome extends PublishOutcome {
  readonly kind: 'forced'
  /** The reason why the call to the coordinator failed, for a message. */
  readonly problem: string
  readonly isReported: boolean
}

const TIMEOUT = 90_000

/**
 * Publishes without permission. Throws a `PublishError` if the version may not be live afterwards. Unless
 * `isOlderAllowed`, also throws one if the live site is known to have been built from a later sequence than this state.
 */
export async function forceSite(
  world: PublishWorld,
  hosted: Hosted | null,
  cause: Error,
): Promise<ForcedOutcome> {
  checkAge(world, hosted)
  const problem = readSentence(cause)
  world.progress(`Publishing WITHOUT the coordinator's permission: ${problem}`)
  const verification = world.verify()
  const uploaded = await upload(world, verification)
  const live = createForced(uploaded.version, world, problem)
  world.progress("Putting the version live without the coordinator's permission")
  const result = await putLive(live, world.hosting, TIMEOUT)
  if (result.isLive !== false) world.published.writeLive(live)
  if (result.isLive !== true)
    throw new PublishError(
      `${describeSwitch(uploaded.version, result)} Run npm run deploy -- --force again.`,
      {
        cause: result.problem,
      },
    )
  const isReported = (await reportForcedVersion(world)) === null
  await showSeen(world, world.published.readLive() ?? live, verification)
  return { kind: 'forced', version: uploaded.version, uploaded, verification, problem, isReported }
}

/**
 * Returns the content of the live file, which names the live version, for a version that is put live without the
 * coordinator's permission. `untold` holds what must be reported to the coordinator later.
 */
export function createForced(version: string, world: PublishWorld, reason: string): Live {
  const untold = { action: 'forced', reason, by: world.by, at: new Date().toISOString() } as const
  return { ...createLive(version, world), untold }
}

/** Reports the version that is not yet reported, if any. Returns `null`, or the error if the report failed. */
export async function reportForcedVersion({ published, gate }: PublishWorld): Promise<unknown> {
  try {
    await reportLate(published, gate)
    return null
  } catch (error) {
    return error
  }
}

function checkAge({ sequence, isOlderAllowed }: PublishWorld, hosted: Hosted | null): void {
  if (isOlderAllowed) return
  const live = hosted?.live[0]
  const pages = hosted === null || live === undefined ? null : findPages(live, hosted)
  const newest = parseTag(pages?.tag ?? '') ?? 0
  if (newest <= sequence) return
  throw new PublishError(
    `Nothing was published: version ${live} is live, built from sequence ${newest}, but this state has no changes after sequence ${sequence}. Run npm run rebuild, which reads the changes (with Firestore all documents), then npm run deploy -- --force --allow-older.`,
  )
}
