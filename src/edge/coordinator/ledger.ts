/**
 * The coordinator's state, and the changes that a step makes to it. Independent of storage.
 *
 * A sequence number is the time of a notice or a claim in milliseconds, or the previous number plus one if that is
 * greater. It only grows, and exceeds the numbers of an earlier ledger that was lost. Times are in milliseconds.
 */
import type { MetStrangers, Stranger } from '../../domain/wire/calls.ts'
import type { Action } from '../../domain/wire/coordinator-status.ts'
import type { Alerting } from './dispatch/alerting.ts'
import { NOTHING_TOLD } from './dispatch/alerting.ts'
import type { Publishing } from './publishing.ts'
import { NOTHING_PUBLISHED } from './publishing.ts'
import type { CoordinatorSettings } from './coordinator-settings.ts'

export interface Standing {
  /** First sequence of this ledger. A builder with a smaller one has the state of another ledger. */
  readonly origin: number
  /** Sequence of the last notice or claim. */
  readonly last: number
  /** Every change up to this sequence is published, except those of failed sellers. */
  readonly published: number
  /** Sequence of the last full read, requested or published; a state older than that needs one. 0 before the first. */
  readonly full: number
  /** Distinct sellers changed after `published` or failed. */
  readonly pending: number
  /** Arrival of the oldest unpublished change. */
  readonly oldest: number | null
  /** The changes that no build has claimed. */
  readonly unclaimed: Unclaimed | null
  /** Earliest retry time among the failed sellers. */
  readonly retryAt: number | null
  readonly lease: Lease | null
  /** The lease of the last report, kept to recognize a repeat of it. */
  readonly reported: string
  /** Consecutive builds that published nothing. */
  readonly setbacks: number
  /** Earliest time of the next dispatch. */
  readonly notBefore: number
  readonly dispatch: Dispatch
  readonly result: Result | null
  /** Arrival of the last notice that named sellers. */
  readonly lastNotice: number | null
  /** Sellers that notices of the low secret named for the first time, within a minute from `since` on. */
  readonly strangers: { readonly since: number; readonly sellers: number }
  /** When the last full read was published. */
  readonly lastFull: number | null
  /** Number of pictures still to be made, as the last build reported it. */
  readonly photos: number | null
  readonly publishing: Publishing
  readonly alerting: Alerting
}

export interface Unclaimed {
  /** Arrival of the first change, and of the last one; later ones of sellers who change often do not count. */
  readonly first: number
  readonly last: number
  /** When a build is due, as long as all of them are of sellers who change often. */
  readonly due?: number
}

/** A running build. */
export interface Lease {
  readonly id: string
  readonly builder: string
  readonly upTo: number
  readonly isFull: boolean
  readonly since: number
  readonly until: number
}

/** Progress of starting a builder. */
export interface Dispatch {
  /** Id of the build, the same for each try so that a target can detect repeats; `null` before the first. */
  readonly build: string | null
  readonly tries: number
  /** When the target accepted the dispatch. */
  readonly sentAt: number | null
  /** Number of accepted dispatches after which no builder claimed. */
  readonly unanswered: number
  readonly error: { readonly at: number; readonly reason: string } | null
}

interface Result {
  readonly at: number
  /** Duration of the build. */
  readonly time: number
  readonly isFull: boolean
  readonly failed: number
  /** Why the build published nothing; `null` after a success. */
  readonly error: string | null
}

/** A seller whose page could not be rendered. */
export interface Failure {
  readonly seller: string
  readonly reason: string
  readonly attempts: number
  readonly since: number
  readonly retryAt: number
  /** The last lease whose claim included the seller. */
  readonly lease: string
}

/** What somebody did to the live site. */
export interface AuditEntry {
  readonly at: number
  readonly action: Action
  readonly by: string | null
  readonly version: string | null
  readonly reason: string | null
}

/** How often a seller changes. */
export interface Pace {
  readonly seller: string
  /** Time of the last change. */
  readonly at: number
  /** Changes of the hour before it; each counts less as time passes. */
  readonly recent: number
}

/** Read access for a step. */
export interface Ledger {
  readonly standing: Standing
  hasDelivery(id: string): boolean
  /** The sequence of the seller's last change. It is kept for ever, unless she does not exist. */
  findChange(seller: string): number | null
  /** Sellers that a notice named for the first time, and of whom no builder has told whether they exist. */
  listStrangers(limit: number): readonly Stranger[]
  /** `null` for a seller who changed at most once within the last hour. */
  findPace(seller: string): Pace | null
  /** Returns the paces with the most changes. */
  listPaces(limit: number): readonly Pace[]
  findFailure(seller: string): Failure | null
  listFailures(): readonly Failure[]
  /** Sellers whose last change is after this sequence, oldest change first. */
  listChanged(after: number): readonly string[]
  /** Those of them that wait for a builder. */
  countChanged(after: number): number
  /** Whether the seller's last change goes, or went, through the queue of changes: it needs no builder. */
  isQueued(seller: string): boolean
  /** The last entries of the audit log, newest first. */
  listLog(): readonly AuditEntry[]
}

/** The changes of one step, written in one transaction. */
export interface LedgerChanges {
  readonly standing?: Standing
  readonly delivery?: { readonly id: string; readonly sequence: number }
  /** Deliveries before this sequence are deleted. */
  readonly forgetBefore?: number
  readonly changed?: { readonly sellers: readonly string[]; readonly sequence: number }
  readonly paces?: readonly Pace[]
  /** Paces of before this time are deleted. */
  readonly forgetPaces?: number
  /** Sellers of whom no row is left, unless they have changed since. */
  readonly forgotten?: readonly { readonly seller: string; readonly sequence: number }[]
  /** Sellers named for the first time. */
  readonly strangers?: readonly string[]
  /** Answers about strangers by a builder whose state is complete up to this sequence. */
  readonly met?: MetStrangers & { readonly sequence: number }
  /** Rows of absent sellers whose last change is not after this sequence are deleted. */
  readonly forgetAbsent?: number
  readonly failures?: readonly Failure[]
  readonly recovered?: readonly string[]
  readonly entry?: AuditEntry
}

export interface LedgerStep<Answer> {
  readonly changes: LedgerChanges
  readonly answer: Answer
}

/** The time of a step and its other inputs from outside. */
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
    lastNotice: null,
    strangers: { since: 0, sellers: 0 },
    lastFull: null,
    photos: null,
    publishing: NOTHING_PUBLISHED,
    alerting: NOTHING_TOLD,
  }
}
