/** The last alert that the receiver accepted, and the alert still to be sent. Times are in milliseconds. */

export type AlertType = 'site.attention' | 'site.recovered'

export interface Alerting {
  /** The time since which the site has needed a person; `null` while it does not. */
  readonly since: number | null
  /** Type of the last alert that the receiver accepted; `site.recovered` before the first. */
  readonly told: AlertType
  /** Problems from the latest check that found at least one. The alert `site.recovered` names them, too. */
  readonly reasons: readonly string[]
  readonly sending: Sending | null
}

/** An alert that the receiver has not accepted yet. Its id is the same for each try. */
export interface Sending {
  readonly id: string
  readonly type: AlertType
  readonly tries: number
  /** Earliest time of the next try. */
  readonly notBefore: number
}

export const NOTHING_TOLD: Alerting = { since: null, told: 'site.recovered', reasons: [], sending: null }
