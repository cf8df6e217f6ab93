/**
 * The coordinator's state as its steps see it: one row for each seller, one for each object, and one row of standing
 * for what belongs to no seller. Independent of storage.
 *
 * A sequence number is the time of a notice or a claim in milliseconds, or the previous number plus one if that is
 * greater. It only grows, and exceeds the numbers of an earlier ledger that was lost. Times are in milliseconds.
 */
import type { ObjectName } from '../../domain/objects/object-data.ts'
import type { ListedSeller } from '../../domain/pages/sitemap.ts'
import type { MetStrangers, Stranger } from '../../domain/wire/calls.ts'
import type { Action } from '../../domain/wire/coordinator-status.ts'
import { NOTHING_TOLD } from './dispatch/alerting.ts'
import type { Alerting } from './dispatch/alerting.ts'
import type { CoordinatorSettings } from './coordinator-settings.ts'
import type { FeedRow, KnownNotice, Phase, SetbackKind } from './feed-row.ts'
import type { KnownObject } from './object-ledger.ts'
import type { ObjectHold, ObjectRow, ObjectTotals } from './objects/object-row.ts'
import type { Publishing } from './publishing.ts'
import { NOTHING_PUBLISHED } from './publishing.ts'

/** The part that steps write. */
export interface Stored {
  /** First sequence of this ledger. A builder with a smaller one has the state of another ledger. */
  readonly origin: number
  /** Sequence of the last notice or claim. */
  readonly last: number
  /** Every change up to this sequence is published, except those of failed sellers. */
  readonly published: number
  /** Sequence of the last claim. */
  readonly claimed: number
  /** Sequence of the last full read, requested or published; a state older than that needs one. 0 before the first. */
  readonly full: number
  /** Arrival of the oldest change that waits for a builder. */
  readonly oldest: number | null
  /** The changes that no build has claimed. */
  readonly unclaimed: Unclaimed | null
  readonly lease: Lease | null
  /** The lease of the last report, kept to recognize a repeat of it. */
  readonly reported: string
  /** Consecutive builds that published nothing. */
  readonly setbacks: number
  /** Earliest time of the next dispatch. */
  readonly notBefore: number
  readonly dispatch: Dispatch
  readonly result: Result | null
  /** Number of new sellers that outside notices named in the minute from `since` on. */
  readonly strangers: { readonly since: number; readonly sellers: number }
  /** When the last full read was published. */
  readonly lastFull: number | null
  /** Number of pictures still to be made, as the last build reported it. */
  readonly photos: number | null
  readonly publishing: Publishing
  readonly alerting: Alerting
  /** Whether the Worker renders changes itself (`DISPATCH=queue`), as its last version had it. */
  readonly isQueue: boolean
  /** When a consumer last took a message whose lease was not fresh. */
  readonly taken: number | null
  /** Trouble that stops all changes that the Worker renders. */
  readonly trouble: Trouble | null
  /** Removals of objects are held back until a person allows them, or until all refused objects have come back. */
  readonly hold: ObjectHold | null
  /** When an object was put last. */
  readonly lastPut: number | null
  /** Times of the latest changes from first notice to live, in milliseconds; the newest last. */
  readonly latencies: readonly number[]
  /** Requests for a full read that a sender may repeat. */
  readonly requests: readonly KnownNotice[]
}

/** Counts that the storage updates with each written row, and facts that an index finds at once. */
export interface Counts {
  /** Arrival of the last notice that named sellers. */
  readonly lastNotice: number | null
  /** Distinct sellers who wait for a builder. */
  readonly pending: number
  /** Number of changes that the Worker is to show, sent or not. */
  readonly waiting: number
  /** Number of leases of messages, at most `MAX_SENT`. */
  readonly sent: number
  /** Sellers with a setback, by kind. */
  readonly failed: number
  readonly held: number
  readonly large: number
  readonly broken: number
  /** Earliest time of the next try of a page that a builder could not render. */
  readonly retryAt: number | null
  /** Totals of all objects, as settled. */
  readonly totals: ObjectTotals
  /** Totals of all objects, where an object with a loss counts as before the loss. */
  readonly before: ObjectTotals
  /** Sum of all losses. */
  readonly lost: ObjectTotals
  /** Number of objects whose removal was refused during this hold. */
  readonly refusals: number
}

export interface Standing extends Stored, Counts {}

/** Trouble that stops all changes. */
export interface Trouble {
  readonly since: number
  /** When a message met it last. The outcome of a message sent later shows whether it is over. */
  readonly at: number
  readonly reason: string
  readonly isPermanent: boolean
  readonly tries: number
  readonly retryAt: number
  /** The only change that met it; `null` if several did, or another is sent as a trial. */
  readonly only: ObjectName | null
}

export interface Unclaimed {
  /** Arrival of the first change, and of the last one; later ones of sellers who change often do not count. */
  readonly first: number
  readonly last: number
  /** When a build is due, if all of the changes are of sellers who change often. */
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

/** An action on the live site. */
export interface AuditEntry {
  readonly at: number
  readonly action: Action
  readonly by: string | null
  readonly version: string | null
  readonly reason: string | null
}

/** The data that a step reads and writes, all in one transaction. */
export interface Ledger {
  /**
   * Sellers whose message a timer sends, and its due time. Their lease is stored, so sending writes
   * nothing. In memory only: a message lost in a restart is sent again after its lease.
   */
  readonly outbox: Map<ObjectName, number>
  readStanding(): Standing
  /** Stored at the end of the transaction. */
  update(changes: Partial<Stored>): void
  findRow(seller: ObjectName): FeedRow | null
  keepRow(row: FeedRow): void
  forgetRow(seller: ObjectName): void
  /** Sellers whose last change is after this sequence, oldest change first. */
  listChanged(after: number): readonly string[]
  listPhase(phase: Phase, query?: PhaseQuery): readonly FeedRow[]
  /** The earliest `at` of a phase; `null` for none. */
  findNext(phase: Phase, than?: ObjectName): number | null
  /** Rows with a setback of this kind, the oldest first. */
  listSetBack(kind: SetbackKind, limit: number): readonly FeedRow[]
  /** Sellers who changed after `since` and change often. */
  listOften(since: number): readonly FeedRow[]
  /**
   * Arrival of the oldest notice that the Worker has not answered, and of the oldest change that a builder failed at.
   */
  findOldest(): number | null
  /** Returns the max number of consecutive messages of one change that no consumer took in time. */
  findSilent(): number
  /** Sellers that a notice named for the first time, and whose existence no builder has reported. */
  listStrangers(limit: number): readonly Stranger[]
  addStranger(seller: string): void
  /** Records answers about strangers by a builder whose state is complete up to this sequence. */
  meetStrangers(met: MetStrangers, sequence: number): void
  /** Deletes rows of absent sellers whose last change is not after this sequence. */
  forgetAbsent(sequence: number): void
  /** The last entries of the audit log, newest first. */
  listLog(): readonly AuditEntry[]
  addEntry(entry: AuditEntry): void
  findObject(name: ObjectName): ObjectRow | null
  keepObject(object: ObjectRow): void
  /** Objects whose loss began at this time or before. */
  listLosses(until: number): readonly ObjectRow[]
  /** Objects with a loss or a refused removal. */
  listGuarded(): readonly ObjectRow[]
  /** Objects of a bucket that are no tombstones. */
  listKnown(bucket: number): readonly KnownObject[]
  /** Sellers of a bucket that have products, ascending. */
  listListed(bucket: number): readonly ListedSeller[]
  /** The buckets with at least one such seller, ascending. */
  listBuckets(): readonly number[]
}

/**
 * Selects at most `limit` rows that are due by `until`, the earliest first, without the seller `than` and the home page.
 */
interface PhaseQuery {
  readonly until?: number
  readonly limit?: number
  readonly than?: ObjectName
}

/** The time of a step and its other inputs from outside. */
export interface Moment {
  readonly now: number
  /** From 0 to 1, to spread retries. */
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
    isQueue: false,
    taken: null,
    trouble: null,
    hold: null,
    lastPut: null,
    latencies: [],
    requests: [],
  }
}
