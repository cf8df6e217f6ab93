/**
 * The freshness of a site in lane `objects`, as published in `/estado.json`. Contains no ids of sellers. Times are RFC
 * 3339, durations in ms.
 */

export interface SiteState {
  /** Fingerprint of the renderer of the answering Worker. */
  readonly code: string
  readonly sellers: number
  /** Changes that are accepted and not live yet. `since` is the arrival of the oldest such change; `null` for none. */
  readonly waiting: { readonly count: number; readonly since: string | null }
  /**
   * How long the last `count` changes took from their acceptance until they were live. The other fields are `null` if
   * `count` is 0.
   */
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
