/** Which changes go to the queue when the alarm fires, and what follows when the queue does not take them. Pure. */
import type { ObjectName } from '../../../domain/objects/object-data.ts'
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { ChangeMessage } from '../change-ledger.ts'
import type { Moment } from '../ledger.ts'
import type { Change, ChangeRecords, ChangeStanding, ChangeStep } from './change-records.ts'
import { endLease, replaceChanges } from './change-records.ts'
import { meetTrouble } from './trouble.ts'

/** Max leases at a time. The others wait. */
export const MAX_SENT = 1_000

/**
 * Nothing is tried again while there are so many leases: if the guard holds the sellers of an emptied collection, a change that
 * comes between their retries is not sent behind all of them.
 */
export const MAX_BEFORE_RETRIES = 100

/** Growing leases end exactly when the settings say. */
const NO_JITTER = 0.5

export interface Unsent {
  readonly messages: readonly ChangeMessage[]
  readonly reason: string
}

/** What was sent and not answered in time is due again. */
export function endLeases(records: ChangeRecords, _: null, { now }: Pick<Moment, 'now'>): ChangeStep<null> {
  const replacements = records
    .listEnded(now)
    .map((before) => ({ before, after: { ...endLease(before, now), silent: before.silent + 1 } }))
  return { changes: replaceChanges(records.standing, replacements), answer: null }
}

/** Returns the messages to send now, and gives their leases. */
export function planMessages(
  records: ChangeRecords,
  _: null,
  moment: Moment,
): ChangeStep<readonly ChangeMessage[]> {
  const { now } = moment
  const { standing } = records
  const sent = listSendable(records, now).map((before) => ({ before, after: giveLease(before, moment) }))
  const [first] = sent
  const next = first === undefined ? standing : awaitProbe(standing, first.before, moment)
  return {
    changes: replaceChanges(next, sent),
    answer: sent.map(({ before }) => ({ name: before.name, upTo: before.noticed, sentAt: now })),
  }
}

/**
 * A message is wanted until something is reported of it, or of a later one. Those of a queue that is longer than their leases
 * are so read once, however often they were sent.
 */
export function takeMessages(
  records: ChangeRecords,
  messages: readonly ChangeMessage[],
  moment: Moment,
): ChangeStep<readonly ChangeMessage[]> {
  const taken = new Map<ObjectName, ChangeMessage>()
  const replacements = messages.flatMap((message) => {
    const before = records.findChange(message.name)
    const isWanted = before?.asked != null && message.upTo > before.done && !taken.has(message.name)
    if (!isWanted) return []
    taken.set(message.name, { ...message, upTo: before.noticed })
    return [{ before, after: giveLease({ ...before, silent: 0 }, moment) }]
  })
  const standing = { ...records.standing, taken: moment.now }
  return { changes: replaceChanges(standing, replacements), answer: [...taken.values()] }
}

function giveLease(before: Change, { now, settings }: Pick<Moment, 'now' | 'settings'>): Change {
  const time = growDelay(settings.changeLease, before.silent + 1, NO_JITTER)
  const asked = { upTo: before.noticed, fresh: before.fresh }
  return { ...before, fresh: null, phase: 'sent', at: now + time, asked }
}

/** The queue did not take these messages. Their changes wait with all others. */
export function takeBackMessages(
  records: ChangeRecords,
  { messages, reason }: Unsent,
  moment: Moment,
): ChangeStep<null> {
  const replacements = messages.flatMap(({ name, upTo }) => {
    const before = records.findChange(name)
    const isSent = before?.phase === 'sent' && before.asked?.upTo === upTo
    return isSent ? [{ before, after: takeBack(before, moment.now) }] : []
  })
  const [first] = replacements
  if (first === undefined) return { changes: {}, answer: null }
  const met = { reason, isPermanent: false, retryAfter: 0 }
  // The time of sending itself: nothing can have been met later.
  const meeting = { name: null, sentAt: moment.now + 1 }
  const trouble = meetTrouble(records.standing.trouble, met, meeting, moment)
  return { changes: replaceChanges({ ...records.standing, trouble }, replacements), answer: null }
}

/** Without its message, and due now. */
function takeBack(change: Change, now: number): Change {
  return { ...endLease(change, now), asked: null }
}

/** While there is trouble one seller tries whether it is over. */
function listSendable(records: ChangeRecords, now: number): readonly Change[] {
  const { sent, trouble } = records.standing
  if (trouble === null) {
    const fresh = records.listFresh(now, MAX_SENT - sent)
    return [...fresh, ...records.listRetries(now, MAX_BEFORE_RETRIES - sent - fresh.length)]
  }
  const [other] = trouble.only === null ? [] : records.listOthersDue(now, trouble.only)
  if (other !== undefined) return [other]
  if (now < trouble.retryAt) return []
  return records.listDue(now, 1)
}

/** If nothing is heard of the one that tries, another one tries after its lease. */
function awaitProbe(standing: ChangeStanding, { name }: Change, { now, settings }: Moment): ChangeStanding {
  const { trouble } = standing
  if (trouble === null) return standing
  const only = trouble.only === name ? name : null
  return { ...standing, trouble: { ...trouble, only, retryAt: now + settings.changeLease.first } }
}

/** `null` for never. */
export interface NextTimes {
  /** When the next message is due, of a change that is sent for the first time. */
  readonly due: number | null
  /** The same of one that is tried again. */
  readonly retry: number | null
  /** The same of a seller other than the only one in trouble. */
  readonly other: number | null
  /** When the next lease ends, or an absent seller is forgotten. */
  readonly end: number | null
}

export function findChangeTime(
  { sent, trouble }: ChangeStanding,
  { due, retry, other, end }: NextTimes,
): number | null {
  const isFull = (limit: number): boolean => trouble === null && sent >= limit
  const fresh = due === null || isFull(MAX_SENT) ? Infinity : due
  const again = retry === null || isFull(MAX_BEFORE_RETRIES) ? Infinity : retry
  const next = Math.max(Math.min(fresh, again), trouble?.retryAt ?? 0)
  const time = Math.min(next, other ?? Infinity, end ?? Infinity)
  return time === Infinity ? null : time
}
