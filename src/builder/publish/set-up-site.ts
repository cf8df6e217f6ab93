/**
 * Publishes for the first time, or after changes to settings that are not part of a version: addresses, schedule,
 * migrations.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Status } from '../../domain/wire/coordinator-status.ts'
import { CallError } from './coordinator/coordinator-client.ts'
import { createForced, reportForcedVersion } from './force-site.ts'
import { isSetUp } from './cloudflare/hosted-versions.ts'
import type { Uploaded } from './cloudflare/hosting.ts'
import { PublishError, readSentence } from './publish-error.ts'
import { createLive, createUpload, reportLate } from './publish-steps.ts'
import type { PublishOutcome, PublishWorld } from './publish-world.ts'

const REASON = 'the site is being set up'

/**
 * Max time for which the report to a new address is retried, in milliseconds. A new address does not answer everywhere
 * at once.
 */
const EARLY = 240_000
const PAUSE = 10_000

interface SetUpOutcome extends PublishOutcome {
  /** Error of the report to the coordinator; `null` if the report succeeded. */
  readonly problem: unknown
}

/**
 * If the site is already set up, holds publishing before the upload, so that no other machine publishes meanwhile. With
 * `isForced`, goes on without the hold if a call to the coordinator fails.
 */
export async function setUpSite(world: PublishWorld): Promise<SetUpOutcome> {
  const { hosting, published, progress } = world
  const verification = world.verify()
  if (!world.isTakeoverAllowed) await refuseTakeover(world)
  // Read as late as possible, because another machine may set up the same site meanwhile.
  const hosted = await hosting.readHosted()
  const [before = null] = hosted.live
  const isGuarded = isSetUp(hosted) && (await holdOthers(world))
  progress('Uploading and setting up the site')
  const uploaded = await hosting
    .deployWhole(createUpload(world, verification))
    .catch(async (cause: unknown) => {
      throw new PublishError(await explainFailed(readSentence(cause), before, world, isGuarded), { cause })
    })
  published.writeLive(createForced(uploaded.version, world, REASON))
  const problem = isGuarded ? await tell(uploaded, world) : await reportFirstVersion(world)
  return { kind: 'published', version: uploaded.version, uploaded, verification, problem }
}

async function refuseTakeover({ hosting }: PublishWorld): Promise<void> {
  const taken = await hosting.listTakeovers()
  if (taken.length === 0) return
  throw new PublishError(
    `Nothing was published: ${taken.join('; ')}. To take over such domains, run npm run deploy -- --setup --allow-takeover; otherwise remove them from routes in wrangler.jsonc and try again.`,
  )
}

/**
 * Reports the new version if publishing is not held: the first version of the site, or a forced one. Unless `isForced`,
 * retries for at most `EARLY` until the new address answers. Returns the error, or `null`.
 */
async function reportFirstVersion(world: PublishWorld): Promise<unknown> {
  const end = performance.now() + EARLY
  for (;;) {
    const problem = await reportForcedVersion(world)
    if (world.isForced || !isEarly(problem) || performance.now() >= end) return problem
    world.progress(`Waiting for the new address, which takes minutes: ${readSentence(problem)}`)
    await wait(world.pause ?? PAUSE)
  }
}

/** Returns whether a new address may cause this error, because it has no route, certificate or Worker yet. */
export function isEarly(problem: unknown): boolean {
  if (!(problem instanceof CallError)) return false
  const { status } = problem
  return status === 0 || status === 404 || status >= 520
}

/**
 * Holds publishing and returns `true`. If a call to the coordinator fails, returns `false` if `isForced` is set, else
 * throws. Throws a `PublishError` if another machine is publishing, if publishing is already held for another reason,
 * or if this state is older than the live site. Must not be called for a site that was never published, because such a
 * site has no coordinator.
 */
async function holdOthers(world: PublishWorld): Promise<boolean> {
  const { gate, published, isForced } = world
  try {
    await reportLate(published, gate)
    checkPlace(await gate.readStatus(), world)
    const { busyUntil } = await gate.hold(REASON, null)
    if (busyUntil === null) return true
    await gate.release()
  } catch (error) {
    if (isForced && error instanceof CallError) return false
    throw adviseAddress(error)
  }
  throw new PublishError('Another machine is publishing: try again in a minute.')
}

/** Adds advice to an error that the address of a site causes which the setup has yet to connect. */
function adviseAddress(error: unknown): unknown {
  if (!(error instanceof CallError) || !isEarly(error)) return error
  return new CallError(
    `${readSentence(error)} Nothing was published. If SITE_URL is a new address, ask the coordinator at the previous one: COORDINATOR_URL=<previous address> npm run deploy -- --setup.`,
    error.status,
  )
}

function checkPlace({ publishing }: Status, { sequence }: PublishWorld): void {
  if (publishing.held !== null && publishing.held.reason !== REASON)
    throw new PublishError(
      `Publishing is held (${publishing.held.reason}): npm run deploy -- --release ends that.`,
    )
  if ((publishing.live?.sequence ?? 0) > sequence)
    throw new PublishError(
      'This state is older than the live site: run npm run rebuild -- --pending, then try again.',
    )
}

async function tell({ version }: Uploaded, world: PublishWorld): Promise<null> {
  const { gate, published, sequence } = world
  try {
    await gate.hold(REASON, { version, sequence })
    await gate.release()
    published.writeLive(createLive(version, world))
    return null
  } catch (error) {
    throw new PublishError(
      `Version ${version} is live, but the coordinator could not be notified: ${readSentence(error)} Publishing is still held: run npm run deploy -- --setup again.`,
      { cause: error },
    )
  }
}

/** Ends the hold if possible. Returns a message that says what is live and whether publishing is held. */
async function explainFailed(
  reason: string,
  before: string | null,
  world: PublishWorld,
  isGuarded: boolean,
): Promise<string> {
  const { hosting, gate, published, sequence } = world
  const live = await hosting.findLive().catch(() => undefined)
  const isNew = typeof live === 'string' && live !== before
  if (isNew) published.writeLive(createForced(live, world, REASON))
  const isReleased = isGuarded && (await release(gate, isNew ? { version: live, sequence } : null))
  if (isNew && isReleased) published.writeLive(createLive(live, world))
  const held = !isGuarded
    ? ''
    : isReleased
      ? ' Publishing is not held.'
      : ` Publishing is held (${REASON}): npm run deploy -- --release ends that.`
  return `The site could not be set up: ${reason} ${describeLive(live, before)}${held} Fix that, then run npm run deploy -- --setup again.`
}

async function release(
  gate: PublishWorld['gate'],
  live: Parameters<PublishWorld['gate']['hold']>[1],
): Promise<boolean> {
  try {
    if (live !== null) await gate.hold(REASON, live)
    await gate.release()
    return true
  } catch {
    // The caller's message says that publishing is still held, and how to end that.
    return false
  }
}

/**
 * `live` is `undefined` if the host did not answer, and `null` if not exactly one version is live. `before` is the
 * version that was live before the setup; `null` if there was none.
 */
function describeLive(live: string | null | undefined, before: string | null): string {
  if (live === undefined)
    return 'It is unknown which version is live: npx wrangler deployments status shows it.'
  if (live === null)
    return before === null
      ? 'Nothing is live.'
      : 'No version is live for all visitors: npx wrangler deployments status shows which ones are.'
  return live === before
    ? `The live site is as it was (version ${live}).`
    : `The new version ${live} is live.`
}
