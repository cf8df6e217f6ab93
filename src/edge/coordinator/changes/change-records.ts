/**
 * What the coordinator records of changes that the Worker renders itself, and what a step alters of it. Independent of
 * storage. Times are in milliseconds.
 */
import type { ObjectName } from '../../../domain/objects/object-data.ts'

/** A seller, or the home page, that was noticed and whose object does not show it yet. */
export interface Change {
  readonly name: ObjectName
  /** Sequence of the last notice, and its arrival. */
  readonly noticed: number
  readonly last: number
  /** Arrival of the first notice that is not answered. */
  readonly first: number
  /** How long it waits for further notices, if that is longer than others do. */
  readonly quiet?: number
  /** Arrival of the first notice since the last message was sent; `null` for none. */
  readonly fresh: number | null
  /** Everything that was noticed up to this sequence is settled. */
  readonly done: number
  readonly phase: Phase
  /** When its next message is due; of a sent one, when its lease ends. */
  readonly at: number
  /** The last message, until it is reported; its lease may have ended. */
  readonly asked: Asked | null
  /** Consecutive messages whose lease ended though no consumer had taken them. */
  readonly silent: number
  /** How often it was the first to meet trouble since it was answered last. */
  readonly blamed: number
  readonly setback: Setback | null
}

/**
 * `large`: left to a builder. `absent`: answered, and forgotten at `at`. Until then a put by a writer that read the seller
 * before she was gone is noticed.
 */
type Phase = 'waiting' | 'sent' | 'absent' | SetbackKind

type SetbackKind = 'failed' | 'held' | 'large'

interface Asked {
  /** The last notice that the message covers. */
  readonly upTo: number
  /** Arrival of the first notice that only this message covers; `null` for none. */
  readonly fresh: number | null
}

/** Why it was not put. Kept while it is tried again. */
interface Setback {
  readonly kind: SetbackKind
  readonly reason: string
  readonly attempts: number
  readonly since: number
}

/** What is in the way of all changes. */
export interface Trouble {
  readonly since: number
  /** When it was met last. A message sent later tells whether it is over. */
  readonly at: number
  readonly reason: string
  readonly isPermanent: boolean
  readonly tries: number
  readonly retryAt: number
  /** The only change that has met it; `null` if several have, or if another one tries. */
  readonly only: ObjectName | null
}

export interface ChangeStanding {
  /** Whether the Worker renders changes itself (`DISPATCH=queue`), as its last version had it. */
  readonly isQueue: boolean
  /** Number of changes that wait or are sent, also that of the home page. Those left to a builder are not counted. */
  readonly waiting: number
  /** Number of leases. */
  readonly sent: number
  /** When a consumer took a message last. */
  readonly taken: number | null
  readonly trouble: Trouble | null
}

/** Read access for a step. */
export interface ChangeRecords {
  readonly standing: ChangeStanding
  /** `null` once it is answered. */
  findChange(name: ObjectName): Change | null
  /** Those not sent whose message is due, the earliest first. */
  listDue(now: number, limit: number): readonly Change[]
  /** Those of them that are sent for the first time. */
  listFresh(now: number, limit: number): readonly Change[]
  /** Those of them that are tried again. */
  listRetries(now: number, limit: number): readonly Change[]
  /** Those not sent and due, of a seller other than this one, the first only. */
  listOthersDue(now: number, than: ObjectName): readonly Change[]
  /** Those whose lease has ended. */
  listEnded(now: number): readonly Change[]
  /** Those with a setback of this kind, by name. */
  listSetBack(kind: SetbackKind, limit?: number): readonly Change[]
  /** All that wait or are sent. */
  listOpen(): readonly Change[]
  /** The absent ones that are to be forgotten by then. */
  listAbsent(until: number): readonly Change[]
}

/** The changes of one step, written in one transaction. */
export interface ChangeChanges {
  readonly kept?: readonly Change[]
  readonly answered?: readonly ObjectName[]
  /** No row of theirs is left. */
  readonly forgotten?: readonly ObjectName[]
  readonly standing?: ChangeStanding
}

export interface ChangeStep<Answer> {
  readonly changes: ChangeChanges
  readonly answer: Answer
}

export const NO_CHANGES: ChangeStanding = {
  isQueue: false,
  waiting: 0,
  sent: 0,
  taken: null,
  trouble: null,
}

/** Without its lease, and due at this time. */
export function endLease(change: Change, at: number): Change {
  return { ...change, phase: change.setback?.kind ?? 'waiting', at }
}

export interface Replacement {
  readonly before: Change | null
  /** `null`: it is answered. */
  readonly after: Change | null
}

/** Whether it waits or is sent. */
function isOpen({ phase }: Change): boolean {
  return phase !== 'large' && phase !== 'absent'
}

/** Nothing that is in the way of changes outlasts the last of them. */
export function replaceChanges(
  standing: ChangeStanding,
  replacements: readonly Replacement[],
): Required<Omit<ChangeChanges, 'forgotten'>> {
  const count = (of: (change: Change | null) => number): number =>
    replacements.reduce((sum, { before, after }) => sum + of(after) - of(before), 0)
  const waiting = standing.waiting + count((change) => (change !== null && isOpen(change) ? 1 : 0))
  const sent = standing.sent + count((change) => (change?.phase === 'sent' ? 1 : 0))
  const trouble = waiting === 0 ? null : standing.trouble
  return {
    kept: replacements.flatMap(({ after }) => after ?? []),
    answered: replacements.flatMap(({ before, after }) => (after === null ? (before?.name ?? []) : [])),
    standing: { ...standing, waiting, sent, trouble },
  }
}
