/**
 * What the coordinator remembers, and the changes that a step asks for. Knows nothing of how it is stored.
 *
 * A sequence number is the time of a notice or a claim in milliseconds, or the one after the last when that is later:
 * it only grows, and stays newer than those of an earlier ledger that was lost. Times are milliseconds as well.
 */
import type { Publishing } from './publishing.ts'
import { NOTHING_PUBLISHED } from './publishing.ts'
import type { CoordinatorSettings } from './coordinator-settings.ts'

export interface Standing {
  /** The sequence that this ledger began with: an older one that a builder has belongs to another ledger. */
  readonly origin: number
  /** Of the last notice or claim. */
  readonly last: number
  /** Everything up to here is published, but for the failed sellers. */
  readonly published: number
  /** Of the last full read that was asked for or published: what is older needs one. 0 before the first. */
  readonly full: number
  /** Distinct sellers changed after `published` or failed. */
  readonly pending: number
  /** When the first change came that is not published. */
  readonly oldest: number | null
  /** When the first and the last change came that no build has claimed. */
  readonly unclaimed: { readonly first: number; readonly last: number } | null
  /** When the first of the failed sellers is to be tried again. */
  readonly retryAt: number | null
  readonly lease: Lease | null
  /** The lease whose builder reported last: it may not have got the answer, and report again. */
  readonly reported: string
  /** Builds in a row that came to nothing. */
  readonly setbacks: number
  /** No builder is started before. */
  readonly notBefore: number
  readonly dispatch: Dispatch
  readonly result: Result | null
  readonly publishing: Publishing
}

/** One build on its way. */
export interface Lease {
  readonly id: string
  readonly builder: string
  readonly upTo: number
  readonly isFull: boolean
  readonly since: number
  readonly until: number
}

/** How far starting a builder for what waits has come. */
export interface Dispatch {
  /** The same for each try, so that a target can tell repeats; `null` when nothing was sent yet. */
  readonly build: string | null
  readonly tries: number
  /** When the target said yes. */
  readonly sentAt: number | null
  /** How often the target said yes, but no builder came. */
  readonly unanswered: number
  readonly error: { readonly at: number; readonly reason: string } | null
}

export interface Result {
  readonly at: number
  /** How long the build took. */
  readonly time: number
  readonly isFull: boolean
  readonly failed: number
  /** Why the build came to nothing; `null` when it was published. */
  readonly error: string | null
}

/** A seller whose page could not be made. */
export interface Failure {
  readonly seller: string
  readonly reason: string
  readonly attempts: number
  readonly since: number
  readonly retryAt: number
  /** The last lease that it was handed out with. */
  readonly lease: string
}

/** What a step may look at. */
export interface Ledger {
  readonly standing: Standing
  hasDelivery(id: string): boolean
  /** The sequence of the seller's last change, never forgotten. */
  findChange(seller: string): number | null
  findFailure(seller: string): Failure | null
  listFailures(): readonly Failure[]
  /** Sellers whose last change came after this sequence, the oldest change first. */
  listChanged(after: number): readonly string[]
  countChanged(after: number): number
}

/** What a step leaves behind, written as one. */
export interface LedgerChanges {
  readonly standing?: Standing
  readonly delivery?: { readonly id: string; readonly sequence: number }
  /** Deliveries before this sequence may be forgotten. */
  readonly forgetBefore?: number
  readonly changed?: { readonly sellers: readonly string[]; readonly sequence: number }
  readonly failures?: readonly Failure[]
  readonly recovered?: readonly string[]
}

export interface LedgerStep<Answer> {
  readonly changes: LedgerChanges
  readonly answer: Answer
}

/** When a step happens, and what it needs of the world. */
export interface Moment {
  readonly now: number
  /** From 0 to 1, to spread retries. */
  readonly random: number
  readonly settings: CoordinatorSettings
}

export const NO_DISPATCH: Dispatch = { build: null, tries: 0, sentAt: null, unanswered: 0, error: null }

export function createSequence(last: number, now: number): number {
  return Math.max(last + 1, now)
}

export function createStanding(now: number): Standing {
  return {
    origin: now,
    last: now,
    published: now,
    full: 0,
    pending: 0,
    oldest: null,
    unclaimed: null,
    retryAt: null,
    lease: null,
    reported: '',
    setbacks: 0,
    notBefore: 0,
    dispatch: NO_DISPATCH,
    result: null,
    publishing: NOTHING_PUBLISHED,
  }
}
