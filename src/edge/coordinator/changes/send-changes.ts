/** Which changes go to the queue when the alarm fires, and what follows when the queue does not take them. Pure. */
import { HOME_OBJECT } from '../../../domain/objects/object-data.ts'
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { ChangeMessage } from '../change-ledger.ts'
import type { Moment } from '../ledger.ts'
import type { Change, ChangeLease, ChangeRecords, ChangeStanding, ChangeStep } from './change-records.ts'
import { findPhase } from './change-records.ts'
import { replaceChanges } from './replace-changes.ts'
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
    .map((before) => ({ before, after: { ...takeBack(before, now), silent: before.silent + 1 } }))
  return { changes: replaceChanges(records.standing, replacements), answer: null }
}

/** Gives the leases of the messages to send now. `newLease`: what their ids begin with. */
export function planMessages(
  records: ChangeRecords,
  newLease: string,
  moment: Moment,
): ChangeStep<readonly ChangeMessage[]> {
  const { now, settings } = moment
  const { standing } = records
  const sent = listSendable(records, now).map((before, index) => {
    const lease: ChangeLease = { id: `${newLease}_${index}`, sentAt: now, upTo: before.noticed }
    const time = growDelay(settings.changeLease, before.silent + 1, NO_JITTER)
    return { before, lease, after: { ...before, fresh: null, phase: 'sent' as const, at: now + time, lease } }
  })
  const [first] = sent
  const next = first === undefined ? standing : awaitProbe(standing, first.before, moment)
  return {
    changes: replaceChanges(next, sent),
    answer: sent.map(({ before, lease }) => ({ name: before.name, lease: lease.id })),
  }
}

/** The queue did not take these messages. Their changes wait with all others. */
export function takeBackMessages(
  records: ChangeRecords,
  { messages, reason }: Unsent,
  moment: Moment,
): ChangeStep<null> {
  const replacements = messages.flatMap(({ name, lease }) => {
    const before = records.findChange(name)
    return before === null || before.lease?.id !== lease
      ? []
      : [{ before, after: takeBack(before, moment.now) }]
  })
  const [first] = replacements
  if (first === undefined) return { changes: {}, answer: null }
  const met = { reason, isPermanent: false, retryAfter: 0 }
  // The time of sending itself: nothing can have been met later.
  const meeting = { name: null, sentAt: moment.now + 1 }
  const trouble = meetTrouble(records.standing.trouble, met, meeting, moment)
  return { changes: replaceChanges({ ...records.standing, trouble }, replacements), answer: null }
}

/** Without its lease, and due now. */
export function takeBack(change: Change, now: number): Change {
  return { ...change, lease: null, phase: findPhase({ ...change, lease: null }), at: now }
}

/** While there is trouble one seller tries whether it is over. The home page needs no source, and proves little. */
function listSendable(records: ChangeRecords, now: number): readonly Change[] {
  const { sent, trouble } = records.standing
  if (trouble === null) {
    const fresh = records.listFresh(now, MAX_SENT - sent)
    return [...fresh, ...records.listRetries(now, MAX_BEFORE_RETRIES - sent - fresh.length)]
  }
  const [other] = trouble.only === null ? [] : records.listOthersDue(now, trouble.only)
  if (other !== undefined) return [other]
  if (now < trouble.retryAt) return []
  const [first, second] = records.listDue(now, 2)
  const probe = first?.name === HOME_OBJECT ? (second ?? first) : first
  return probe === undefined ? [] : [probe]
}

/** If nothing is heard of the one that tries, another one tries after its lease. */
function awaitProbe(standing: ChangeStanding, { name }: Change, { now, settings }: Moment): ChangeStanding {
  const { trouble } = standing
  if (trouble === null) return standing
  const only = trouble.only === name ? name : null
  return { ...standing, trouble: { ...trouble, only, retryAt: now + settings.changeLease.first } }
}
