/**
 * The guard: refuses removals that would take much of the site away within an hour, in one call or one object at a time.
 * Pure.
 */
import type { ObjectName } from '../../../domain/objects/object-data.ts'
import { isTooMuch } from '../../../domain/objects/large-share.ts'
import type { Moment } from '../ledger.ts'
import type { Permission, PermitCall } from '../object-ledger.ts'
import type { Hold, Loss, ObjectRecords, ObjectStanding, ObjectStep, Totals } from './object-records.ts'
import {
  addTotals,
  countObject,
  DIMENSIONS,
  findLost,
  isNothing,
  NOTHING,
  subtractTotals,
} from './object-records.ts'

/** How long a loss counts, in milliseconds. */
const WINDOW = 60 * 60_000

/** One object of the call, beside what is known of it. */
interface Asked {
  readonly name: ObjectName
  /** As it was settled last. */
  readonly settled: Totals
  /** The loss that is recorded; `null` for none. */
  readonly known: Loss | null
  /** The loss after this call; `null` for none. */
  readonly next: Loss | null
  readonly isRemoval: boolean
  /** It takes away what somebody allowed, and nothing more: it is no loss. */
  readonly isAllowed: boolean
  /** Counts of the objects that would be left. */
  readonly after: Totals
}

export function permitRemovals(
  records: ObjectRecords,
  call: PermitCall,
  { now }: Pick<Moment, 'now'>,
): ObjectStep<Permission> {
  if (call.isShrinkAllowed) return release(records.standing, call, now)
  const expired = records.listLosses(now - WINDOW)
  const standing = expired.reduce((left, loss) => forgetLoss(records, left, loss), records.standing)
  const forgotten = new Set(expired.map(({ name }) => name))
  const asked = call.objects.map((object) => {
    const known = forgotten.has(object.name) ? null : records.findLoss(object.name)
    return compare(records, { name: object.name, after: countObject(object), known }, now)
  })
  const removals = asked.filter(({ isRemoval }) => isRemoval)
  const hold = standing.hold ?? findHold(takeAll(standing, asked), now)
  const isRefused = hold !== null && removals.length > 0
  const taken = isRefused ? asked.filter(({ isRemoval }) => !isRemoval) : asked
  const settled = takeAll(standing, taken)
  const refused = isRefused ? removals.map(({ name }) => name) : []
  const returned = taken.filter(({ name }) => records.isRefused(name)).map(({ name }) => name)
  const added = refused.filter((name) => !records.isRefused(name))
  const refusals = standing.refusals + added.length - returned.length
  return {
    changes: {
      forgottenLosses: [...forgotten, ...taken.filter(isOver).map(({ name }) => name)],
      losses: taken.flatMap(({ next }) => (next === null ? [] : [next])),
      forgottenRefusals: returned,
      refusals: added,
      forgottenRemovals: taken
        .filter(({ isAllowed, name }) => !isAllowed && records.findRemoval(name) !== null)
        .map(({ name }) => name),
      removals: isRefused ? removals.map(({ name, after }) => ({ name, after, until: 0 })) : [],
      standing: { ...settled, refusals, hold: refusals === 0 ? null : hold },
    },
    answer: { refused, reason: isRefused ? hold.reason : null },
  }
}

/**
 * What is gone with leave counts no more. A call that names no objects allows what was refused until now, if it is asked for
 * again within an hour; another one allows its own objects.
 */
function release(standing: ObjectStanding, { objects }: PermitCall, now: number): ObjectStep<Permission> {
  const next = { ...standing, before: standing.totals, lost: NOTHING, hold: null, refusals: 0 }
  const released = { now, allowedUntil: objects.length === 0 ? now + WINDOW : null }
  return { changes: { released, standing: next }, answer: { refused: [], reason: null } }
}

/** A repeated call for an object replaces its loss: both are counted from before the first. */
function compare(
  records: ObjectRecords,
  { name, after, known }: { readonly name: ObjectName; readonly after: Totals; readonly known: Loss | null },
  now: number,
): Asked {
  const settled = findSettled(records, name)
  const before = known?.before ?? settled
  const lost = findLost(before, after)
  const next = isNothing(lost) ? null : { name, since: known?.since ?? now, before, lost }
  const isRemoval = !isNothing(findLost(settled, after))
  if (isRemoval && hasLeave(records, name, after, now))
    return { name, settled, known: null, next: null, isRemoval: false, isAllowed: true, after }
  return { name, settled, known, next, isRemoval, isAllowed: false, after }
}

function hasLeave(records: ObjectRecords, name: ObjectName, after: Totals, now: number): boolean {
  const removal = records.findRemoval(name)
  return removal !== null && removal.until > now && isNothing(findLost(removal.after, after))
}

function takeAll(
  standing: ObjectStanding,
  asked: readonly Pick<Asked, 'settled' | 'known' | 'next'>[],
): ObjectStanding {
  return asked.reduce((left, { settled, known, next }) => {
    const lost = addTotals(subtractTotals(left.lost, known?.lost ?? NOTHING), next?.lost ?? NOTHING)
    const isCounted = known === null || next !== null
    const before = isCounted ? left.before : addTotals(subtractTotals(left.before, known.before), settled)
    return { ...left, lost, before }
  }, standing)
}

/** What was lost is back. */
function isOver({ known, next }: Asked): boolean {
  return known !== null && next === null
}

function forgetLoss(records: ObjectRecords, standing: ObjectStanding, loss: Loss): ObjectStanding {
  const settled = findSettled(records, loss.name)
  return takeAll(standing, [{ settled, known: loss, next: null }])
}

function findSettled(records: ObjectRecords, name: ObjectName): Totals {
  return records.findObject(name) ?? NOTHING
}

function findHold({ lost, before }: ObjectStanding, now: number): Hold | null {
  const parts = DIMENSIONS.filter((dimension) => isTooMuch(lost[dimension], before[dimension])).map(
    (dimension) => `${lost[dimension]} of ${before[dimension]} ${dimension}`,
  )
  return parts.length === 0
    ? null
    : { since: now, reason: `within an hour ${parts.join(', ')} would be gone` }
}
