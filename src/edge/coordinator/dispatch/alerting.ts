/** The last alert that the receiver accepted, and the alert still to be sent. Times are in milliseconds. */

export type AlertType = 'site.attention' | 'site.recovered'

export interface Alerting {
  /** The time since which a problem has needed a person and no accepted alert named its kind; `null` for none. */
  readonly since: number | null
  /** Type of the last alert that the receiver accepted; `site.recovered` before the first. */
  readonly told: AlertType
  /** Problems from the latest check that found at least one. The alert `site.recovered` names them, too. */
  readonly reasons: readonly string[]
  /** Kinds of problems (see `findProblemKind`) in the alerts accepted since the last `site.recovered`. */
  readonly named: readonly string[]
  /** When the receiver last accepted an alert; 0 before the first. */
  readonly at: number
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

export const NOTHING_TOLD: Alerting = {
  since: null,
  told: 'site.recovered',
  reasons: [],
  named: [],
  at: 0,
  sending: null,
}

/**
 * Returns the problem without its counts, ages and details, so that it is recognized when only these change. All
 * failures of sellers are one kind.
 */
export function findProblemKind(problem: string): string {
  if (/^seller .* failed \d+ times: /s.test(problem)) return 'seller'
  const [start = ''] = problem.split(': ', 1)
  return start.replaceAll(/\d+( \p{L}+)?/gu, '')
}
