/** The refill: after a change of code, the objects of all buckets are rendered again, one step after another. Pure. */
import type { LiveAnswer } from '../../../domain/wire/object-calls.ts'
import type { Moment } from '../ledger.ts'
import type { RefillDone, RefillMessage, RefillStep } from '../object-ledger.ts'
import type { ObjectRecords, ObjectStanding, ObjectStep } from './object-records.ts'

/** Number of buckets. The home page belongs to the first step. */
export const BUCKETS = 256

/** A refill that has not moved for this long lost its message. In milliseconds: longer than a step with its retries. */
export const LONGEST_STEP = 3 * 60_000

export const FIRST_STEP: RefillStep = { bucket: 0, after: null }

export function goLive(
  { standing }: ObjectRecords,
  code: string,
  { now }: Pick<Moment, 'now'>,
): ObjectStep<LiveAnswer> {
  const isKnown = standing.code === code && standing.refill !== null
  if (isKnown) return { changes: {}, answer: { refill: standing.refill?.step === null ? 'done' : 'running' } }
  const refill = { step: FIRST_STEP, since: now, movedAt: now, rendered: 0, failed: 0 }
  return { changes: { standing: { ...standing, code, refill } }, answer: { refill: 'started' } }
}

export function claimRefill({ standing }: ObjectRecords, code: string): ObjectStep<RefillStep | null> {
  return { changes: {}, answer: standing.code === code ? (standing.refill?.step ?? null) : null }
}

/** A step that is not the next one was done by another message. */
export function settleRefill(
  { standing }: ObjectRecords,
  { code, done }: { readonly code: string; readonly done: RefillDone },
  { now }: Pick<Moment, 'now'>,
): ObjectStep<RefillStep | null> {
  const { refill } = standing
  if (standing.code !== code || refill === null || !isSame(refill.step, done.step))
    return { changes: {}, answer: null }
  const next = {
    ...refill,
    step: done.next,
    movedAt: now,
    rendered: refill.rendered + done.rendered,
    failed: refill.failed + done.failed,
  }
  return { changes: { standing: { ...standing, refill: next } }, answer: done.next }
}

/** Returns the message to send again, if the last one was lost. */
export function restartRefill(
  { standing }: ObjectRecords,
  _: null,
  { now }: Pick<Moment, 'now'>,
): ObjectStep<RefillMessage | null> {
  const { code, refill } = standing
  const time = findRefillTime(standing)
  if (code === null || refill === null || refill.step === null || time === null || now < time)
    return { changes: {}, answer: null }
  const next = { ...standing, refill: { ...refill, movedAt: now } }
  return { changes: { standing: next }, answer: { code, ...refill.step } }
}

/** Returns when the refill counts as stalled; `null` if none runs. */
export function findRefillTime({ refill }: ObjectStanding): number | null {
  return refill === null || refill.step === null ? null : refill.movedAt + LONGEST_STEP
}

function isSame(a: RefillStep | null, b: RefillStep): boolean {
  return a !== null && a.bucket === b.bucket && a.after === b.after
}
