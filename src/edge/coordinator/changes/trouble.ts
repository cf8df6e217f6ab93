/** Trouble concerns all changes: they wait together, and one of them tries whether it is over. Pure. */
import type { Moment } from '../ledger.ts'
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { ChangeOutcome } from '../change-ledger.ts'
import type { ChangeStanding, Trouble } from './change-records.ts'

export type Met = Omit<Extract<ChangeOutcome, { kind: 'trouble' }>, 'kind'>

/** `sentAt`: when the message was sent that met it. One that was on its way before says nothing new. */
export function meetTrouble(known: Trouble | null, met: Met, sentAt: number, moment: Moment): Trouble {
  const { now, random, settings } = moment
  const { reason, isPermanent } = met
  const pause = Math.min(met.retryAfter, settings.dispatchRetry.longest)
  if (known !== null && sentAt <= known.at) return { ...known, retryAt: Math.max(known.retryAt, now + pause) }
  const tries = (known?.tries ?? 0) + 1
  const delay = Math.max(growDelay(settings.dispatchRetry, tries, random), pause)
  return { since: known?.since ?? now, at: now, reason, isPermanent, tries, retryAt: now + delay }
}

/** Returns what is left of it after a message was answered without trouble. */
export function endTrouble(standing: ChangeStanding, sentAt: number): ChangeStanding {
  const { trouble } = standing
  return trouble === null || sentAt <= trouble.at ? standing : { ...standing, trouble: null }
}
