/** Takes notices of sellers that the Worker renders itself. Pure. */
import type { ObjectName } from '../../../domain/objects/object-data.ts'
import type { Moment } from '../ledger.ts'
import type { Change, ChangeRecords, ChangeStep } from './change-records.ts'
import { replaceChanges } from './change-records.ts'
import type { Waits } from './seller-pace.ts'

export interface Noticed {
  /** Distinct. */
  readonly sellers: readonly string[]
  readonly sequence: number
  /** Without it, those that wait do so as long as they did. */
  readonly waits?: Waits
}

export function noticeChanges(
  records: ChangeRecords,
  { sellers, sequence, waits }: Noticed,
  moment: Pick<Moment, 'now' | 'settings'>,
): ChangeStep<null> {
  const replacements = sellers.map((name) => {
    const before = records.findChange(name)
    const known = (before?.phase === 'absent' ? null : before) ?? createChange(name, sequence, moment.now)
    const quiet = waits?.get(name) ?? known.quiet
    const paced = quiet === undefined ? known : { ...known, quiet }
    return { before, after: noticeChange(paced, sequence, moment) }
  })
  return { changes: replaceChanges(records.standing, replacements), answer: null }
}

/** When the message of an unsent change is due: once its seller has been quiet, but not too late. */
export function findQuietEnd(
  { fresh, last, quiet: own = 0 }: Pick<Change, 'fresh' | 'last' | 'quiet'>,
  { quiet, longestWait }: Moment['settings'],
): number {
  const wait = Math.max(quiet, own)
  return Math.min(last + wait, (fresh ?? last) + Math.max(longestWait, wait))
}

function createChange(name: ObjectName, sequence: number, now: number): Change {
  return {
    name,
    noticed: sequence,
    last: now,
    first: now,
    fresh: now,
    done: sequence - 1,
    phase: 'waiting',
    at: now,
    asked: null,
    silent: 0,
    blamed: 0,
    setback: null,
  }
}

/** During a lease a notice waits for its end. One that is to be tried again is not tried later than without the notice. */
function noticeChange(
  before: Change,
  sequence: number,
  { now, settings }: Pick<Moment, 'now' | 'settings'>,
): Change {
  const change: Change = { ...before, noticed: sequence, last: now, fresh: before.fresh ?? now }
  const quietEnd = findQuietEnd(change, settings)
  if (before.phase === 'large') return { ...change, phase: 'waiting', setback: null, at: quietEnd }
  if (before.phase === 'sent') return change
  const isFirst = before.fresh === before.first && before.setback === null
  return { ...change, at: isFirst ? quietEnd : Math.min(before.at, quietEnd) }
}
