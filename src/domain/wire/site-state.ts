/**
 * The freshness of a site of objects, as published in `/estado.json`. Contains no ids. Times are RFC 3339, durations in
 * ms.
 */

export interface SiteState {
  /** The code of the answering Worker. */
  readonly code: string
  readonly sellers: number
  /** Changes that are accepted and not live yet. `since` is the arrival of the oldest one. */
  readonly waiting: { readonly count: number; readonly since: string | null }
  /** Time from the acceptance of a change until it is live, for the last changes. */
  readonly latency: {
    readonly count: number
    readonly p50: number | null
    readonly p95: number | null
    readonly slowest: number | null
  }
  /** When the last full read was published; `null` for never. */
  readonly fullRead: string | null
  /** Whether removals are held back by the guard. */
  readonly isHeld: boolean
}
