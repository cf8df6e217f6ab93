/**
 * Trouble is a failure of the source, the store or the queue, or another writer that always puts first. It stops all
 * changes that the Worker renders: they wait together, and one is sent as a trial. If only one seller has met the
 * trouble, the message of another seller is sent at once, to find out if the first seller is the cause.
 */
import type { Ledger, Moment, Trouble } from '../ledger.ts'
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { ChangeOutcome } from '../change-ledger.ts'

type Met = Omit<Extract<ChangeOutcome, { kind: 'trouble' }>, 'kind'>

/** The seller whose message met the trouble, and the time of that message. */
export interface Meeting {
  /** `null` for several sellers. */
  readonly name: string | null
  readonly sentAt: number
}

/**
 * Returns `known` after a message has met the trouble; a new trouble if `known` is `null`. A message that was sent
 * before the trouble was last met does not count as another try.
 */
export function meetTrouble(
  known: Trouble | null,
  met: Met,
  { name, sentAt }: Meeting,
  moment: Moment,
): Trouble {
  const { now, random, settings } = moment
  const { reason, isPermanent } = met
  const pause = Math.min(met.retryAfter, settings.dispatchRetry.longest)
  const only = known === null || known.only === name ? name : null
  if (known !== null && sentAt <= known.at)
    return { ...known, only, retryAt: Math.max(known.retryAt, now + pause) }
  const tries = (known?.tries ?? 0) + 1
  const delay = Math.max(growDelay(settings.dispatchRetry, tries, random), pause)
  return { since: known?.since ?? now, at: now, reason, isPermanent, tries, retryAt: now + delay, only }
}

/**
 * Ends the trouble if it was last met before this message was sent. Called for messages whose outcome is not trouble.
 */
export function endTrouble(ledger: Ledger, sentAt: number): void {
  const { trouble } = ledger.readStanding()
  if (trouble !== null && sentAt > trouble.at) ledger.update({ trouble: null })
}

export function forgetTrouble(ledger: Ledger): void {
  const { trouble, waiting } = ledger.readStanding()
  if (trouble !== null && waiting === 0) ledger.update({ trouble: null })
}
