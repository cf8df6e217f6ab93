/**
 * The coordinator's row of one seller: the last change, whether the Worker or a builder publishes it, and why it is not
 * live. Independent of storage. Times are in milliseconds.
 */

export interface FeedRow {
  readonly seller: string
  /**
   * Sequence of the last change; 0 before the first. Kept after the change is live, because builders with an older
   * state still need the change.
   */
  readonly changed: number
  /** Sequence up to which changes need no message any more, usually because the Worker has put them live. */
  readonly done: number
  /** Arrival of the last notice; 0 before the first. */
  readonly last: number
  /**
   * Weighted count of the changes in the hour up to the last change, including that change: earlier changes have less
   * weight (see `fadePace`).
   */
  readonly recent: number
  /** `null`: the change is live, or waits for a builder. */
  readonly phase: Phase | null
  /**
   * When the next message or try is due, the lease of a sent message ends, or the row of an absent seller is deleted.
   */
  readonly at: number
  /**
   * Arrival of the first notice whose change is not live; while `phase` is `broken`, `since` of the setback. Outdated
   * while `phase` is `null` or `absent`.
   */
  readonly first: number
  /** When the last change went live; `null` if it is not live, or if the time was not measured. */
  readonly shown: number | null
  /** How long the row waits for further notices. The setting `quiet` applies instead if it is longer. */
  readonly quiet: number
  /** Arrival of the first notice since the last message was sent; `null` for none. */
  readonly fresh: number | null
  /** The last message that has no report yet, even if its lease has ended; `null` for none. */
  readonly asked: Asked | null
  /**
   * Number of consecutive message leases that ended without a report. A consumer that takes a message resets the count.
   */
  readonly silent: number
  /**
   * How often in a row this seller's messages were the first to meet trouble. An outcome other than trouble resets the
   * count.
   */
  readonly blamed: number
  readonly setback: Setback | null
  /** Id of the lease of the last build that retried the failed page of this seller; empty for none. */
  readonly lease: string
  /** The last notices whose list of sellers begins with this seller, kept to recognize redeliveries. */
  readonly notices: readonly KnownNotice[]
}

/** The id of an accepted notice, and its arrival. */
export type KnownNotice = readonly [id: string, at: number]

/**
 * - `waiting`, `sent`, `failed`, `held`: the Worker publishes the change.
 * - `absent`: the seller does not exist, and the row is deleted at `at`. If another writer puts older data of the
 *   seller before that, the Worker reads the seller again.
 * - `large`, `broken`: a builder publishes the change. A `broken` page failed at a builder, and is retried at `at`.
 */
export type Phase = 'waiting' | 'sent' | 'absent' | SetbackKind

export type SetbackKind = 'failed' | 'held' | 'large' | 'broken'

interface Asked {
  /** Sequence of the last notice that the message covers. */
  readonly upTo: number
  /** Arrival of the first notice that no earlier message covers; `null` for none. */
  readonly fresh: number | null
}

/** Why the change is not live. Kept while the change is tried again. */
interface Setback {
  readonly kind: SetbackKind
  readonly reason: string
  readonly attempts: number
  readonly since: number
}

/** Phases of changes that the Worker renders: `UNSENT` for changes without a message under lease, `OPEN` for all. */
export const UNSENT = ['waiting', 'failed', 'held'] as const
export const OPEN = [...UNSENT, 'sent'] as const

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

const REST = {
  phase: null,
  at: 0,
  quiet: 0,
  fresh: null,
  asked: null,
  silent: 0,
  blamed: 0,
  setback: null,
  lease: '',
} as const

/** Creates the row of a seller that no notice has named yet. */
export function createRow(seller: string): FeedRow {
  const none = { changed: 0, done: 0, last: 0, recent: 0, first: 0, shown: null, notices: [] }
  return { seller, ...none, ...REST }
}

/** Returns the row without a phase, message or setback. If its change is not live, it now waits for a builder. */
export function endWaiting(row: FeedRow): FeedRow {
  return { ...row, ...REST }
}

/**
 * Returns the row with a change at this sequence. `recent`: the new count of changes; if it is absent, this change is
 * not counted.
 */
export function changeRow(row: FeedRow, sequence: number, recent?: number): FeedRow {
  const faded = row.changed === 0 ? 1 : Math.max(1, fadePace(row.recent, sequence - row.changed))
  return { ...row, changed: sequence, recent: recent ?? faded, shown: null }
}

/**
 * Returns the count of changes after it has decayed for the time `passed`. With changes at an even pace, the count
 * approaches their number in an hour.
 */
export function fadePace(recent: number, passed: number): number {
  return recent * Math.min(1, Math.max(0, 1 - passed / HOUR))
}

/** Returns whether the Worker itself should publish the change. */
export function isOpen({ phase }: FeedRow): boolean {
  return phase !== null && (OPEN as readonly Phase[]).includes(phase)
}

/** Returns whether the last change goes, or went, through the queue, and so needs no builder. */
export function isQueued(row: FeedRow): boolean {
  return isOpen(row) || row.phase === 'absent' || row.done >= row.changed
}

export function waitsForBuilder(row: FeedRow, published: number): boolean {
  return row.phase === 'broken' || (row.changed > published && !isQueued(row))
}

/** Returns the row after the lease of its message ended. The next message is due at `at`. */
export function endLease(row: FeedRow, at: number): FeedRow {
  return { ...row, phase: row.setback?.kind ?? 'waiting', at }
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
