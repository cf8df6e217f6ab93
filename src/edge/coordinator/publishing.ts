/** The coordinator's publishing state: the live version, the publish lease and the hold. */

import type { Caller } from '../../domain/wire/calls.ts'

export interface Publishing {
  /**
   * The version that went live last, according to the reports of publishes, rollbacks and versions put live without a
   * lease; `null` for none.
   */
  readonly live: Published | null
  /**
   * A version that may be live instead of `live`, because it is unknown whether it took effect, or which of the two did
   * so last; `null` for none.
   */
  readonly doubtful: Published | null
  readonly lease: PublishLease | null
  /**
   * Id of the last lease that a report ended, kept to recognize a repeated report; empty for none. The id of an
   * overruled lease is not kept.
   */
  readonly ended: string
  readonly held: { readonly since: number; readonly reason: string } | null
}

/**
 * A version of the site. `sequence`: sequence of the state that it was built from; 0 for a build without a claim. `at`:
 * when it went live, as far as the coordinator knows, in milliseconds; for a version whose lease expired, when the
 * lease ended.
 */
export interface Published {
  readonly version: string
  readonly sequence: number
  readonly at: number
}

/** Permission to put one version live. */
export interface PublishLease {
  readonly id: string
  readonly version: string
  readonly sequence: number
  readonly until: number
  readonly by: Caller
  /** True if another version was put live meanwhile, without a lease. */
  readonly isOverruled?: boolean
}

export const NOTHING_PUBLISHED: Publishing = {
  live: null,
  doubtful: null,
  lease: null,
  ended: '',
  held: null,
}

/** Returns the state at `now`. The version of an expired lease becomes doubtful, since its outcome is unknown. */
export function settlePublishing(publishing: Publishing, now: number): Publishing {
  const { lease } = publishing
  if (lease === null || now < lease.until) return publishing
  const { version, sequence, until } = lease
  return { ...publishing, lease: null, doubtful: { version, sequence, at: until } }
}

/**
 * Returns the state after a version was put live without a lease. A running publish of another version may still take
 * effect. Its lease therefore blocks other publishers until the outcome is reported. If the lease expires before that,
 * its version becomes doubtful.
 */
export function replaceLive(publishing: Publishing, live: Published): Publishing {
  const { lease } = publishing
  const isOther = lease !== null && lease.version !== live.version
  const running = isOther ? { ...lease, isOverruled: true } : null
  return { ...publishing, live, doubtful: null, lease: running }
}

/**
 * Returns whichever of `live` and `doubtful` has the greater sequence; `doubtful` if both have the same; `null` if both
 * are `null`.
 */
export function findNewest({ live, doubtful }: Publishing): Published | null {
  if (live === null || doubtful === null) return doubtful ?? live
  return doubtful.sequence >= live.sequence ? doubtful : live
}
