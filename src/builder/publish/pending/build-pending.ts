/** One build of the pending sellers: claim, rebuild, publish, report. The caller passes the function that publishes. */
import { cleanText } from '../../../domain/documents/text.ts'
import { BusyError } from '../../state/locks.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { rebuild } from '../../rebuild/rebuild.ts'
import type { World } from '../../rebuild/world.ts'
import { isDamage } from '../../result-codes.ts'
import type { Build } from '../../../domain/wire/build-report.ts'
import type { MetStrangers, Stranger } from '../../../domain/wire/calls.ts'
import type { CoordinatorClient } from '../coordinator/coordinator-client.ts'
import { PublishError, readSentence } from '../publish-error.ts'
import { keepLease } from './keep-lease.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

export interface PendingBuild {
  readonly world: World
  readonly client: Pick<CoordinatorClient, 'claim' | 'renew' | 'finish' | 'giveUp'>
  /** Id of this builder. Constant per machine and state folder, so that the next build resumes the lease of an interrupted one. */
  readonly builder: string
  /** Publishes the result and returns lines to print. If `null`, nothing is published and the sellers stay pending. */
  readonly publish: (() => Promise<readonly string[]>) | null
  readonly tell: (step: PendingStep) => void
  /**
   * Number of pictures still to be made, for the report to the coordinator. By default it is counted, but only after a
   * build of all sellers.
   */
  readonly photos?: number
}

/** The changed sellers; `all` if any seller may have changed. */
export type NamedSellers = readonly string[] | 'all'

export type PendingStep =
  | { readonly kind: 'claimed'; readonly named: NamedSellers }
  | { readonly kind: 'rendered'; readonly outcome: RebuildOutcome }
  | { readonly kind: 'published'; readonly lines: readonly string[] }
  | { readonly kind: 'unpublished' }
  /**
   * `pending` is the number of sellers that are still pending; `null` if the lease had ended. In the latter case the
   * next build repeats the sellers of this build.
   */
  | { readonly kind: 'reported'; readonly pending: number | null }

type Claimed = NonNullable<Awaited<ReturnType<CoordinatorClient['claim']>>>

/** Sent to the coordinator after a build that was not published. */
const UNPUBLISHED = 'built but not published: the builder runs without --deploy'

/**
 * Throws a `BusyError` if another builder is at work. If the build fails, throws its error, and the sellers stay
 * pending; the error is also reported to the coordinator, unless the state is damaged. Throws a `PublishError` if only
 * the report of a published build fails.
 */
export async function buildPending(build: PendingBuild): Promise<RebuildOutcome> {
  const { client, builder, world } = build
  const claimed = await client.claim(builder, world.state.read('claimed'))
  if (claimed === null)
    throw new BusyError('Another builder is at work on the pending sellers: nothing was done here.')
  const named = 'full' in claimed ? 'all' : claimed.sellers
  build.tell({ kind: 'claimed', named })
  const outcome = await carryOut(build, claimed, named)
  if (build.publish === null) {
    await client.giveUp(claimed.lease, UNPUBLISHED)
    build.tell({ kind: 'unpublished' })
    return outcome
  }
  // The result is published and saved. If `finish` fails, the coordinator hands out the same sellers again.
  const { lease, upTo, strangers } = claimed
  const photos = build.photos ?? (named === 'all' ? countWaiting(outcome) : undefined)
  const report = {
    lease,
    upTo,
    failed: listFailed(outcome),
    ...(photos !== undefined && { photos }),
    ...(strangers !== undefined && { strangers: meet(strangers, world) }),
  }
  const pending = await client.finish(report).catch((cause: unknown) => {
    const message = `The build is live, but it could not be reported to the coordinator: ${readSentence(cause)} The next build builds the same sellers again.`
    throw new PublishError(message, { cause })
  })
  build.tell({ kind: 'reported', pending })
  return outcome
}

async function carryOut(build: PendingBuild, claimed: Claimed, named: NamedSellers): Promise<RebuildOutcome> {
  const lease = keepLease(build.client, claimed)
  try {
    const outcome = await rebuildNamed(build, claimed, named)
    if (build.publish !== null) {
      await lease.check()
      build.tell({ kind: 'published', lines: await build.publish() })
    }
    return outcome
  } catch (error) {
    await reportError(build, claimed, error)
    throw error
  } finally {
    lease.stop()
  }
}

async function rebuildNamed(
  { world, tell }: PendingBuild,
  { upTo }: Claimed,
  named: NamedSellers,
): Promise<RebuildOutcome> {
  const due = named === 'all' ? { isFull: true } : { sellers: named, isClaimed: true }
  const outcome = await rebuild({ ...world, options: { ...world.options, ...due } })
  // Written after the rebuild, because it says that the site has all changes up to this sequence.
  world.state.write('claimed', upTo)
  tell({ kind: 'rendered', outcome })
  return outcome
}

function countWaiting({ pictures }: RebuildOutcome): number {
  return pictures.waiting + pictures.undrawn
}

/**
 * Divides `strangers` (sellers who may not exist) into `known`, which the state has after the rebuild, and `absent`.
 * Returns their numbers.
 */
function meet(strangers: readonly Stranger[], { state }: World): MetStrangers {
  const list = (isKnown: boolean): readonly number[] =>
    strangers.flatMap(({ number, seller }) => (state.hasSeller(seller) === isKnown ? [number] : []))
  return { known: list(true), absent: list(false) }
}

/** Returns the sellers whose pages failed. The coordinator does not know the pages of no seller. */
function listFailed({ failed }: RebuildOutcome): Build['failed'] {
  const sellers = failed.filter(({ seller }) => seller !== '')
  return sellers.map(({ seller, reason }) => ({ seller, reason: cleanText(reason) }))
}

/** Reports a failed build, unless the state is damaged: the caller then recreates it and reuses the lease. */
async function reportError(
  { client, world }: PendingBuild,
  { lease }: Claimed,
  error: unknown,
): Promise<void> {
  if (isDamage(error)) return
  const message = readMessage(error)
  try {
    await client.giveUp(lease, cleanText(message))
  } catch {
    // The coordinator hands out the sellers again when the lease ends.
    world.progress('The failure of this build could not be reported to the coordinator')
  }
}
