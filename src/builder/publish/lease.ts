/**
 * The permission to publish. With a coordinator it is a lease, of which one builder holds one at a time; it is renewed
 * while the builder works, and right before anything of the site goes live. Without one, only the live marker is
 * compared. In both cases the live site must be the one that the run began with, or the run's own.
 */
import { cleanText } from '../../domain/documents/text.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { BusyError } from '../state/locks.ts'
import type { FailedSeller } from '../state/site-state.ts'
import type { CoordinatorAddress, CoordinatorClient } from './coordinator/coordinator-client.ts'
import { CallError, createCoordinatorClient } from './coordinator/coordinator-client.ts'
import { PublishError } from './publish-error.ts'

export interface Lease {
  /** `null` without a coordinator. */
  readonly token: string | null
  /** Position up to which the coordinator has named changes; `null` without a coordinator. */
  readonly upTo: number | null
  /** Marker of the site that is live at the beginning; `null` if there is none. */
  readonly live: SiteMarker | null
  /** Sellers who changed; `all` if any may have. */
  readonly named: readonly string[] | 'all'
  /**
   * Throws a `LeaseError` unless the run `own` may change the live site now. Asks the coordinator if less than `least`
   * milliseconds of the lease are left.
   */
  permit(own: string, least?: number): Promise<void>
  /** Returns the number of sellers who wait now; `null` if the lease had ended. */
  done(run: string, failed: readonly FailedSeller[]): Promise<number | null>
  fail(reason: string): Promise<void>
  /** Ends the renewals. */
  stop(): void
}

/** The lease was lost, or another site went live meanwhile. */
class LeaseError extends Error {
  override readonly name = 'LeaseError'
}

interface Claim {
  /** The same token gets the same lease again. */
  readonly token: string
  /** Name of this builder. */
  readonly builder: string
  /** Position of the claim that the state has read. */
  readonly have: number | null
}

export interface LeaseRequest extends Claim {
  readonly client: Pick<CoordinatorClient, 'claim' | 'renew' | 'done' | 'fail'>
}

interface LeaseOptions extends Claim {
  /** `null` if no coordinator is asked. */
  readonly coordinator: CoordinatorAddress | null
  /** True if the run may go on without a coordinator that does not answer: the first publish makes it. */
  readonly isSetup: boolean
  readonly readLive: () => Promise<SiteMarker | null>
}

export async function openLease({ coordinator, isSetup, readLive, ...claim }: LeaseOptions): Promise<Lease> {
  // A new address does not answer yet.
  const openFree = (): Promise<Lease> => openUncoordinated(() => readLive().catch(() => null))
  if (coordinator === null) return openFree()
  const client = createCoordinatorClient(coordinator, isSetup ? { tries: 2 } : {})
  try {
    return await claimLease({ ...claim, client })
  } catch (error) {
    if (isSetup && error instanceof CallError && error.status !== 401) return openFree()
    throw error
  }
}

/** In milliseconds. */
const RENEWAL = 30_000

/** Throws a `BusyError` if another builder has the lease, and a `PublishError` if publishing is held. */
export async function claimLease({ client, token, builder, have }: LeaseRequest): Promise<Lease> {
  const claim = await client.claim(token, builder, have)
  if ('busy' in claim)
    throw new BusyError(`Another builder is at work, until ${claim.busy} at most: nothing was done here.`)
  if ('held' in claim)
    throw new PublishError(`Publishing is held (${claim.held}): npm run deploy -- --release ends that.`)
  let { until } = claim
  let isLost = false
  const renew = async (): Promise<SiteMarker | null> => {
    const renewed = isLost ? null : await client.renew(token)
    isLost = renewed === null
    if (renewed === null)
      throw new LeaseError('The lease was lost, or publishing is held now: the next run publishes.')
    until = renewed.until
    return renewed.live
  }
  // Errors are ignored here: the renewal before something goes live fails, too.
  const timer = setInterval(() => void renew().catch(() => {}), RENEWAL)
  timer.unref()
  return {
    token,
    upTo: claim.upTo,
    live: claim.live,
    named: 'full' in claim ? 'all' : claim.sellers,
    permit: async (own, least = Infinity) => {
      if (!isLost && until - Date.now() >= least) return
      checkLive(await renew(), { before: claim.live, own })
    },
    done: (run, failed) => client.done(token, { upTo: claim.upTo, marker: run, failed: listFailed(failed) }),
    fail: (reason) => client.fail(token, reason),
    stop: () => clearInterval(timer),
  }
}

/** For the first publish, and if the Worker with the coordinator is broken. */
export async function openUncoordinated(readLive: () => Promise<SiteMarker | null>): Promise<Lease> {
  const live = await readLive()
  return {
    token: null,
    upTo: null,
    live,
    named: 'all',
    permit: async (own) => checkLive(await readLive(), { before: live, own }),
    done: async () => null,
    fail: async () => {},
    stop: () => {},
  }
}

function checkLive(
  live: SiteMarker | null,
  { before, own }: { readonly before: SiteMarker | null; readonly own: string },
): void {
  if (live?.run === before?.run || live?.run === own) return
  throw new LeaseError(
    `Another site (run ${live?.run ?? 'none'}) went live meanwhile, so nothing was published: run again.`,
  )
}

/** The pages of no seller have an empty id, which the coordinator does not know. */
function listFailed(failed: readonly FailedSeller[]): readonly { seller: string; reason: string }[] {
  const sellers = failed.filter(({ seller }) => seller !== '')
  return sellers.map(({ seller, reason }) => ({ seller, reason: cleanText(reason) }))
}
