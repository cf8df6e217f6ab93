/**
 * The coordinator's state as its steps read and write it: a row for each seller, and one row, the standing, for
 * everything else. Independent of storage.
 *
 * A sequence number is the time of a notice or a claim in milliseconds, or the previous number plus one if that is
 * greater. Numbers only grow, and those of a new ledger exceed those of a lost one. Times are in milliseconds.
 */
import type { MetStrangers, Stranger } from '../../domain/wire/calls.ts'
import type { Action } from '../../domain/wire/coordinator-status.ts'
import { NOTHING_TOLD } from './dispatch/alerting.ts'
import type { Alerting } from './dispatch/alerting.ts'
import type { CoordinatorSettings } from './coordinator-settings.ts'
import type { FeedRow, KnownNotice } from './feed-row.ts'
import type { Publishing } from './publishing.ts'
import { NOTHING_PUBLISHED } from './publishing.ts'

/**
 * The part of the standing that the coordinator's functions write with `update`. The storage derives the rest from its
 * rows.
 */
export interface Stored {
  /**
   * Sequence at which this ledger began. A builder's state with a smaller sequence belongs to an earlier ledger that
   * was lost.
   */
  readonly origin: number
  /** Sequence of the last notice or claim. */
  readonly last: number
  /** Every change up to this sequence is published, except those of failed sellers. */
  readonly published: number
  /** Sequence of the last claim. */
  readonly claimed: number
  /**
   * Sequence of the last full read that was requested or published: a builder with an older state must read in full. 0
   * before the first.
   */
  readonly full: number
  /** Arrival of the oldest change that waits for a builder; `null` for none. */
  readonly oldest: number | null
  /**
   * The changes that no build has claimed; `null` for none. Also set after a failed build, a hold, or a version put
   * live without a lease, so that a build follows.
   */
  readonly unclaimed: Unclaimed | null
  readonly lease: Lease | null
  /** Id of the lease of the last report, kept to detect a repeated report. */
  readonly reported: string
  /** Number of consecutive builds that failed. */
  readonly setbacks: number
  /** Earliest time of the next dispatch. */
  readonly notBefore: number
  readonly dispatch: Dispatch
  readonly result: Result | null
  /**
   * Number of new sellers in notices that are not signed with a builder's secret, counted for the minute that began at
   * `since`.
   */
  readonly strangers: { readonly since: number; readonly sellers: number }
  /** When the last full read was published; `null` for never. */
  readonly lastFull: number | null
  /** Number of pictures still to be made, as the last build reported it; `null` if no build has reported it. */
  readonly photos: number | null
  readonly publishing: Publishing
  readonly alerting: Alerting
  /** Arrival of the last notice that named sellers; `null` for none. */
  readonly lastNotice: number | null
  /** The last notices without sellers, such as requests for a full read, kept to detect redeliveries. */
  readonly requests: readonly KnownNotice[]
}

/** Counts that the storage updates whenever it writes a row, and values that take one query of an index. */
export interface Counts {
  /** Distinct sellers who wait for a builder. */
  readonly pending: number
  /** Sellers whose page fails at builders. */
  readonly failing: number
  /** Earliest time of the next try of a failing page; `null` for none. */
  readonly retryAt: number | null
}

export interface Standing extends Stored, Counts {}

interface Unclaimed {
  /** Arrivals of the first and the last unclaimed change. */
  readonly first: number
  readonly last: number
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
interface Dispatch {
  /**
   * Id of the build; `null` before the first try. Stays the same until the target accepts the dispatch, so that a
   * target can detect repeats.
   */
  readonly build: string | null
  readonly tries: number
  /** When the target accepted the dispatch; `null` until then. */
  readonly sentAt: number | null
  /** Number of consecutive dispatches that the target accepted, but after which no builder claimed. */
  readonly unanswered: number
  readonly error: { readonly at: number; readonly reason: string } | null
}

interface Result {
  readonly at: number
  /** Duration of the build. */
  readonly time: number
  readonly isFull: boolean
  readonly failed: number
  /** Why the build failed; `null` after a success. */
  readonly error: string | null
}

/** An entry of the audit log: an action on the live site or on the hold. */
export interface AuditEntry {
  readonly at: number
  readonly action: Action
  readonly by: string | null
  readonly version: string | null
  readonly reason: string | null
}

/** The data that a step reads and writes in one transaction. */
export interface Ledger {
  readStanding(): Standing
  /** Merges these changes into the standing, which is stored at the end of the transaction. */
  update(changes: Partial<Stored>): void
  findRow(seller: string): FeedRow | null
  keepRow(row: FeedRow): void
  /** Sellers whose last change is after this sequence, oldest change first. */
  listChanged(after: number): readonly string[]
  /** Rows whose pages fail at builders, the earliest next try first. */
  listFailing(limit?: number): readonly FeedRow[]
  /** Returns since when the oldest failure lasts; `null` if no page fails. */
  findOldestFailure(): number | null
  /** New sellers: they were named for the first time, but no builder has reported yet whether they exist. */
  listStrangers(limit: number): readonly Stranger[]
  addStranger(seller: string): void
  /** Records which new sellers exist, as reported by a builder whose state contains all changes up to this sequence. */
  meetStrangers(met: MetStrangers, sequence: number): void
  /**
   * Deletes rows without a failure whose sellers a builder reported as absent, if neither that report nor the last change
   * is after this sequence. Deletes a limited number of rows per call.
   */
  forgetAbsent(sequence: number): void
  /** The audit log, newest entry first. Old entries are not kept. */
  listLog(): readonly AuditEntry[]
  addEntry(entry: AuditEntry): void
}

/** The time at which a step runs, and its other inputs from outside the ledger. */
export interface Moment {
  readonly now: number
  /** A random number from 0 to 1, to spread retries. */
  readonly random: number
  readonly settings: CoordinatorSettings
}

export type LedgerStep<Event, Answer> = (ledger: Ledger, event: Event, moment: Moment) => Answer

export const NO_DISPATCH: Dispatch = { build: null, tries: 0, sentAt: null, unanswered: 0, error: null }

export function createSequence(last: number, now: number): number {
  return Math.max(last + 1, now)
}

export function createStored(now: number): Stored {
  return {
    origin: now,
    last: now,
    published: now,
    claimed: now,
    full: 0,
    oldest: null,
    unclaimed: null,
    lease: null,
    reported: '',
    setbacks: 0,
    notBefore: 0,
    dispatch: NO_DISPATCH,
    result: null,
    strangers: { since: 0, sellers: 0 },
    lastFull: null,
    photos: null,
    publishing: NOTHING_PUBLISHED,
    alerting: NOTHING_TOLD,
    lastNotice: null,
    requests: [],
  }
}
