/**
 * Decides which messages are sent to the queue, and when; which messages a consumer should still process; and how to
 * handle messages that the queue rejected.
 */
import type { ChangeMessage } from '../change-ledger.ts'
import type { FeedRow, Phase } from '../feed-row.ts'
import { endLease, UNSENT } from '../feed-row.ts'
import type { Ledger, Moment } from '../ledger.ts'
import { giveLease, isFresh, MAX_SENT } from './message-lease.ts'
import { forgetAbsent } from './release-changes.ts'
import { meetTrouble } from './trouble.ts'

/**
 * Retries are sent only while fewer messages than this are under lease. Otherwise a new change might wait behind the
 * retries of thousands of sellers that the guard holds, for example after a collection was emptied.
 */
export const MAX_BEFORE_RETRIES = 100

const RETRIES = ['failed', 'held'] as const

export interface Unsent {
  readonly messages: readonly ChangeMessage[]
  readonly reason: string
}

/**
 * Returns the messages to send now, and starts their leases. A change whose message's lease has ended without an
 * outcome becomes due again.
 */
export function planMessages(ledger: Ledger, _: null, moment: Moment): readonly ChangeMessage[] {
  const { now } = moment
  forgetAbsent(ledger, moment)
  const prompt = takeOutbox(ledger, moment)
  for (const row of ledger.listPhase('sent', { until: now }))
    ledger.keepRow({ ...endLease(row, now), silent: row.silent + 1 })
  const rows = listSendable(ledger, now)
  for (const row of rows) ledger.keepRow(giveLease(row, moment))
  const [first] = rows
  if (first !== undefined) awaitProbe(ledger, first, moment)
  return [...prompt, ...rows].map(({ seller, changed }) => ({ name: seller, upTo: changed, sentAt: now }))
}

/**
 * Removes due messages from the outbox. Returns their rows, each with a lease; a lease that would end soon is renewed.
 * During trouble, returns none, and the changes wait.
 */
function takeOutbox(ledger: Ledger, moment: Moment): readonly FeedRow[] {
  const { now } = moment
  const { outbox } = ledger
  const due = [...outbox].flatMap(([seller, at]) => (at <= now ? [seller] : []))
  const { trouble } = ledger.readStanding()
  return due.flatMap((seller) => {
    outbox.delete(seller)
    const row = ledger.findRow(seller)
    if (row?.phase !== 'sent' || row.asked?.upTo !== row.changed) return []
    const unsent = { ...row, fresh: row.asked.fresh, asked: null }
    if (trouble === null && isFresh(row, moment)) return [row]
    ledger.keepRow(trouble === null ? giveLease(unsent, moment) : endLease(unsent, now))
    return trouble === null ? [row] : []
  })
}

/** Returns when the next message of the outbox is due; `null` for none. */
export function findPromptTime({ outbox }: Pick<Ledger, 'outbox'>): number | null {
  return outbox.size === 0 ? null : Math.min(...outbox.values())
}

/**
 * Returns the messages that are still wanted, at most one for each seller, each extended to the seller's last change,
 * and renews their leases. A message is no longer wanted after, for example, a report on it or on a later message about
 * the same seller. A message that waits in the queue for longer than its lease is sent again; after a report on one of
 * the two, the other is no longer wanted. A lease that has just begun is not renewed, because a renewal writes rows.
 */
export function takeMessages(
  ledger: Ledger,
  messages: readonly ChangeMessage[],
  moment: Moment,
): readonly ChangeMessage[] {
  const taken = new Map<string, ChangeMessage>()
  for (const message of messages) {
    const row = ledger.findRow(message.name)
    if (row?.asked == null || message.upTo <= row.done || taken.has(message.name)) continue
    taken.set(message.name, { ...message, upTo: row.changed })
    if (isFresh(row, moment)) continue
    ledger.keepRow(giveLease({ ...row, silent: 0 }, moment))
    ledger.update({ taken: moment.now })
  }
  return [...taken.values()]
}

/**
 * Records that the queue rejected these messages. Their changes are due again, and the failure is recorded as trouble,
 * which stops all changes.
 */
export function takeBackMessages(ledger: Ledger, { messages, reason }: Unsent, moment: Moment): void {
  const { now } = moment
  const rows = messages.flatMap(({ name, upTo }) => {
    const row = ledger.findRow(name)
    return row?.phase === 'sent' && row.asked?.upTo === upTo ? [row] : []
  })
  if (rows.length === 0) return
  // Forgets the messages (`asked: null`), because no consumer will report on them.
  for (const row of rows) ledger.keepRow({ ...endLease(row, now), asked: null })
  const met = { reason, isPermanent: false, retryAfter: 0 }
  // Later than the `at` of any recorded trouble, so that `meetTrouble` counts this failure as another try.
  const meeting = { name: null, sentAt: now + 1 }
  ledger.update({ trouble: meetTrouble(ledger.readStanding().trouble, met, meeting, moment) })
}

/**
 * Returns the rows whose messages may be sent. During trouble, returns at most one row, to test whether the trouble is
 * over, or is caused by one seller.
 */
function listSendable(ledger: Ledger, now: number): readonly FeedRow[] {
  const { sent, trouble } = ledger.readStanding()
  if (trouble === null) {
    const fresh = listDue(ledger, ['waiting'], { until: now, limit: MAX_SENT - sent })
    const left = MAX_BEFORE_RETRIES - sent - fresh.length
    return [...fresh, ...listDue(ledger, RETRIES, { until: now, limit: left })]
  }
  const { only } = trouble
  const [other] = only === null ? [] : listDue(ledger, UNSENT, { until: now, limit: 1, than: only })
  if (other !== undefined) return [other]
  return now < trouble.retryAt ? [] : listDue(ledger, UNSENT, { until: now, limit: 1 })
}

/** Returns the due rows of these phases, the earliest first. */
function listDue(
  ledger: Ledger,
  phases: readonly Phase[],
  query: { readonly until: number; readonly limit: number; readonly than?: string },
): readonly FeedRow[] {
  const limit = Math.max(0, query.limit)
  const rows = phases.flatMap((phase) => ledger.listPhase(phase, { ...query, limit }))
  return rows.toSorted((a, b) => a.at - b.at).slice(0, limit)
}

/**
 * During trouble, the message of this row is the trial. Plans the next trial after the length of a first lease, in case
 * no outcome is reported by then.
 */
function awaitProbe(ledger: Ledger, { seller }: FeedRow, { now, settings }: Moment): void {
  const { trouble } = ledger.readStanding()
  if (trouble === null) return
  const only = trouble.only === seller ? seller : null
  ledger.update({ trouble: { ...trouble, only, retryAt: now + settings.changeLease.first } })
}

/** Returns when to send messages, end leases or forget absent sellers next; `null` for never. */
export function findChangeTime(ledger: Ledger): number | null {
  const times = [findPromptTime(ledger), findChangeAlarm(ledger)].filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** Like `findChangeTime`, but without the messages of the outbox, which a timer sends. */
export function findChangeAlarm(ledger: Ledger): number | null {
  const { isQueue, sent, trouble } = ledger.readStanding()
  if (!isQueue) return null
  const find = (phases: readonly Phase[], than?: string): number =>
    Math.min(...phases.map((phase) => ledger.findNext(phase, than) ?? Infinity))
  const isFull = (limit: number): boolean => trouble === null && sent >= limit
  const fresh = isFull(MAX_SENT) ? Infinity : find(['waiting'])
  const again = isFull(MAX_BEFORE_RETRIES) ? Infinity : find(RETRIES)
  const next = Math.max(Math.min(fresh, again), trouble?.retryAt ?? 0)
  const other = trouble?.only == null ? Infinity : find(UNSENT, trouble.only)
  const time = Math.min(next, other, find(['sent', 'absent']))
  return time === Infinity ? null : time
}
