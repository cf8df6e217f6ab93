/**
 * The coordinator's row of one seller: the last change, and why it is not live. Independent of storage. Times are in
 * milliseconds.
 */

export interface FeedRow {
  readonly seller: string
  /**
   * Sequence of the last change; 0 before the first. Kept after the change is live, because builders with an older
   * state still need the change.
   */
  readonly changed: number
  /** Set while the page of this seller fails at builders. */
  readonly failure: Failure | null
  /** The last notices whose list of sellers begins with this seller, kept to recognize redeliveries. */
  readonly notices: readonly KnownNotice[]
}

/** The id of an accepted notice, and its arrival. */
export type KnownNotice = readonly [id: string, at: number]

interface Failure {
  readonly reason: string
  readonly attempts: number
  readonly since: number
  /** When the next try is due. */
  readonly retryAt: number
  /** Id of the lease of the last build that tried the page. */
  readonly lease: string
}

const DAY = 24 * 60 * 60_000

/** Creates the row of a seller that no notice has named yet. */
export function createRow(seller: string): FeedRow {
  return { seller, changed: 0, failure: null, notices: [] }
}

/** Max notices that a row keeps. */
const MAX_KNOWN = 20

/**
 * Returns the known notices of the last day, at most `MAX_KNOWN`, with the new notice added; `null` if it is a
 * redelivery of a known notice.
 */
export function addNotice(
  known: readonly KnownNotice[],
  id: string,
  now: number,
): readonly KnownNotice[] | null {
  const recent = known.filter(([, at]) => now - at <= DAY)
  return recent.some(([one]) => one === id) ? null : [...recent.slice(1 - MAX_KNOWN), [id, now]]
}
