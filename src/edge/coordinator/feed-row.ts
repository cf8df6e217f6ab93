/**
 * The row of one seller at the coordinator: her last change, who publishes it, and what prevents
 * that. Independent of storage. Times are in milliseconds.
 */
import type { ObjectName } from '../../domain/objects/object-data.ts'

export interface FeedRow {
  readonly seller: ObjectName
  /** Sequence of the last change. It is kept for ever, unless the seller does not exist. */
  readonly changed: number
  /** The Worker itself has shown everything up to this sequence. */
  readonly done: number
  /** Arrival of the last notice. */
  readonly last: number
  /** Changes of the hour before the last one; each counts less as time passes. */
  readonly recent: number
  /** `null`: the change is done, or a builder shows it. */
  readonly phase: Phase | null
  /** When the next message or try is due, or when the lease of a sent message ends. */
  readonly at: number
  /** Arrival of the first notice that is not answered. */
  readonly first: number
  /** When the last change went live; `null` if it is not, or if that was not measured. */
  readonly shown: number | null
  /** How long this row waits for further notices, if longer than other rows. */
  readonly quiet: number
  /** Arrival of the first notice since the last message was sent; `null` for none. */
  readonly fresh: number | null
  /** The last message that has no report yet; its lease may have ended. */
  readonly asked: Asked | null
  /** Consecutive messages whose lease ended though no consumer had taken them. */
  readonly silent: number
  /** How often this row was the first to meet trouble since its last answer. */
  readonly blamed: number
  readonly setback: Setback | null
  /** The last build that was given the seller while her page failed. */
  readonly lease: string
  /** The last notices that named this seller first. */
  readonly notices: readonly KnownNotice[]
}

/** A notice that was accepted, by its id and arrival. */
export type KnownNotice = readonly [id: string, at: number]

/**
 * `waiting`, `sent`, `failed`, `held`: the Worker publishes the change. `absent`: the seller does
 * not exist, and the row is deleted at `at`; until then a late put of older data is noticed.
 * `large`, `broken`: a builder publishes it. A `broken` page failed there, and is retried at `at`.
 */
export type Phase = 'waiting' | 'sent' | 'absent' | SetbackKind

export type SetbackKind = 'failed' | 'held' | 'large' | 'broken'

interface Asked {
  /** The last notice that the message covers. */
  readonly upTo: number
  /** Arrival of the first notice that only this message covers; `null` for none. */
  readonly fresh: number | null
}

/** Why the change is not live. Kept while the change is tried again. */
interface Setback {
  readonly kind: SetbackKind
  readonly reason: string
  readonly attempts: number
  readonly since: number
}

/** Phases of changes that the Worker renders: `UNSENT` if no message is sent, `OPEN` for all. */
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

/** A seller whom no notice has named. */
export function createRow(seller: ObjectName): FeedRow {
  const none = { changed: 0, done: 0, last: 0, recent: 0, first: 0, shown: null, notices: [] }
  return { seller, ...none, ...REST }
}

/** Ends all waiting of the row, except for a change that a builder publishes. */
export function endWaiting(row: FeedRow): FeedRow {
  return { ...row, ...REST }
}

/** Records a change at this sequence. It counts for the pace only if `recent` is given. */
export function changeRow(row: FeedRow, sequence: number, recent?: number): FeedRow {
  const faded = row.changed === 0 ? 1 : Math.max(1, fadePace(row.recent, sequence - row.changed))
  return { ...row, changed: sequence, recent: recent ?? faded, shown: null }
}

/** Lets a count decay, so that changes at an even pace settle at their number in an hour. */
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

/** Returns whether a builder should publish the change. */
export function waitsForBuilder(row: FeedRow, published: number): boolean {
  return row.phase === 'broken' || (row.changed > published && !isQueued(row))
}

/** Returns the row without its lease, due at this time. */
export function endLease(row: FeedRow, at: number): FeedRow {
  return { ...row, phase: row.setback?.kind ?? 'waiting', at }
}

/** Max notices that a row keeps. */
const MAX_KNOWN = 20

/** Adds a notice, which may be redelivered for a day. Returns `null` for a redelivered one. */
export function addNotice(
  known: readonly KnownNotice[],
  id: string,
  now: number,
): readonly KnownNotice[] | null {
  const recent = known.filter(([, at]) => now - at <= DAY)
  return recent.some(([one]) => one === id) ? null : [...recent.slice(1 - MAX_KNOWN), [id, now]]
}
