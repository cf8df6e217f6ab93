/** Changes that no longer wait for what they waited for: the guard, a builder, or the Worker itself. Pure. */
import type { Moment } from '../ledger.ts'
import type { Change, ChangeRecords, ChangeStep } from './change-records.ts'
import { replaceChanges } from './change-records.ts'

/** What a builder has read after all its notices up to this one, and delivered. */
export interface Delivered {
  readonly upTo: number
  readonly isFull: boolean
  readonly failed: readonly string[]
  /** Sequence of a seller's last change. */
  readonly findChange: (seller: string) => number | null
}

/** Somebody allowed the removals that the guard held back. */
export function retryHeld(records: ChangeRecords, _: null, { now }: Pick<Moment, 'now'>): ChangeStep<null> {
  const replacements = records.listSetBack('held').flatMap((before) => {
    const isWaiting = before.phase === 'held' && before.at > now
    return isWaiting ? [{ before, after: { ...before, at: now } }] : []
  })
  return { changes: replaceChanges(records.standing, replacements), answer: null }
}

/**
 * A builder has told that it is done. Sellers that were left to it are no longer. What waits here is answered by a full read
 * only: of the others it is not known whether the builder had to read them.
 */
export function forgetDelivered(records: ChangeRecords, delivered: Delivered): ChangeStep<null> {
  const { upTo, isFull, findChange } = delivered
  const failed = new Set(delivered.failed)
  const large = records.listSetBack('large').filter(({ name }) => (findChange(name) ?? 0) <= upTo)
  const read = isFull ? records.listOpen().filter((change) => isRead(change, upTo)) : []
  const done = [...large, ...read.filter(({ name }) => !failed.has(name))]
  const replacements = done.map((before) => ({ before, after: null }))
  return { changes: replaceChanges(records.standing, replacements), answer: null }
}

/** The home page is nobody's seller: no report names it. */
function isRead({ name, noticed, phase }: Change, upTo: number): boolean {
  return name !== '' && phase !== 'sent' && noticed <= upTo
}

/** Deletes sellers that have been absent long enough. Returns the facts that were known of them. */
export function forgetAbsent(
  records: ChangeRecords,
  _: null,
  { now }: Pick<Moment, 'now'>,
): ChangeStep<readonly Change[]> {
  const absent = records.listAbsent(now)
  return { changes: { forgotten: absent.map(({ name }) => name) }, answer: absent }
}

/** The Worker renders no changes any more. Returns the names of those that wait. */
export function dropChanges(records: ChangeRecords): ChangeStep<readonly string[]> {
  const open = records.listOpen()
  const replacements = [...open, ...records.listSetBack('large')].map((before) => ({ before, after: null }))
  const { standing, ...changes } = replaceChanges({ ...records.standing, isQueue: false }, replacements)
  return {
    changes: { ...changes, standing: { ...standing, trouble: null } },
    answer: open.map(({ name }) => name),
  }
}
