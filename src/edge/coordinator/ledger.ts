/**
 * The coordinator's memory as its steps read and write it: a row for each seller, and one row for everything else.
 *
 * A sequence is the time of a notice or claim in milliseconds, or the last sequence plus one if that is greater. Times
 * are in milliseconds since 1970.
 */

export interface CoordinatorState {
  /** Sequence at which this ledger began. A builder that has less knew another ledger, which was lost. */
  readonly origin: number
  /** The last sequence. */
  readonly last: number
  /** Every change up to this sequence is live, except those of failed sellers. */
  readonly done: number
  /** Sequence at which everything was last asked for: who has less must read everything. */
  readonly full: number
  /** Token of the lease; `null` if no builder has it. */
  readonly token: string | null
  readonly builder: string
  /** Sequence of the lease's claim. */
  readonly upTo: number
  /** End of the lease. */
  readonly until: number
  /** Token of the last lease that was reported as done. */
  readonly ended: string | null
  /** Run of the site that the last report named as live. */
  readonly marker: string | null
  /** Why publishing is held; `null` if it is not. */
  readonly held: string | null
  /** When the first and the last of the changes arrived that no builder has claimed; `null` if no build is wanted. */
  readonly first: number | null
  readonly quietFrom: number
  /** Number of starts of a builder since the last claim. */
  readonly tries: number
  /** Number of failed builds since the last one that ended well. */
  readonly failures: number
  /** Earliest time of the next start of a builder. */
  readonly dispatchAt: number
  /** Why the last build failed or could not be started. */
  readonly error: string | null
  /** When to look again at a live site that was not the reported one; `null` if it was. */
  readonly lookAt: number | null
  /** When too many rows last made the coordinator ask for everything. */
  readonly boundAt: number
}

export interface FeedRow {
  readonly seller: string
  /** Sequence of the last change. */
  readonly changed: number
  /** Why her pages fail at builders; `null` if they do not. */
  readonly failed: string | null
  readonly tries: number
  /** When a builder has to try her pages again. */
  readonly next: number
}

/** What a step reads and writes in one transaction. */
export interface Ledger {
  read(): CoordinatorState
  update(changes: Partial<CoordinatorState>): void
  /** Returns whether there are more rows than this. */
  isLarger(rows: number): boolean
  /** Number of sellers who changed after this sequence, and the first such sequence. */
  findWaiting(after: number): { readonly count: number; readonly oldest: number | null }
  /** Records a change, and keeps the seller's failure. */
  addChange(seller: string, sequence: number): void
  /** Sellers who changed after `have`, and those whose pages have to be tried again by `now`; at most `limit`. */
  listSellers(have: number, now: number, limit: number): readonly string[]
  /** Number of failed sellers, and when the first of them has to be tried again. */
  findFailing(): { readonly count: number; readonly next: number | null }
  listFailed(limit: number): readonly FeedRow[]
  /** Takes the failures of sellers who changed up to this sequence, and returns their rows as they were. */
  takeFailures(upTo: number): readonly FeedRow[]
  findRow(seller: string): FeedRow | null
  putRow(row: FeedRow): void
  /** Deletes all rows. */
  clear(): void
}

/** The time of a step, and what else it gets from outside. */
export interface Moment {
  readonly now: number
  /** From 0 to 1, to spread retries. */
  readonly random: number
  readonly settings: StepSettings
}

export interface StepSettings {
  /** A build starts when no change has come for this long, in milliseconds. */
  readonly quiet: number
  /** Further changes delay a build by at most this long, counted from the first change, in milliseconds. */
  readonly longestWait: number
  /** With more rows the coordinator asks for everything. */
  readonly maxRows: number
}

/** A new ledger wants a build, since it may replace one that was lost. */
export function createState(now: number): CoordinatorState {
  return {
    origin: now,
    last: now,
    done: now,
    full: 0,
    token: null,
    builder: '',
    upTo: 0,
    until: 0,
    ended: null,
    marker: null,
    held: null,
    first: now,
    quietFrom: now,
    tries: 0,
    failures: 0,
    dispatchAt: 0,
    error: null,
    lookAt: null,
    boundAt: 0,
  }
}
