/**
 * The guard: refuses removals that would take much of the site away within an hour, in one call or one object at a
 * time.
 */
import { isTooMuch } from '../../../domain/objects/large-share.ts'
import type { Ledger, Moment } from '../ledger.ts'
import type { ObjectCounts, Permission, PermitCall } from '../object-ledger.ts'
import type { ObjectHold, ObjectRow, ObjectTotals } from './object-row.ts'
import { countObject, DIMENSIONS, subtractTotals, isNothing } from './object-row.ts'

/** How long a loss counts, in milliseconds. */
const WINDOW = 60 * 60_000

/**
 * An object of the call that the coordinator knows. A put of an unknown object removes nothing, so it is not checked.
 */
interface Asked {
  readonly row: ObjectRow
  /** Counts of the object after the put. */
  readonly after: ObjectTotals
  readonly isRemoval: boolean
}

/**
 * Returns which of the puts are refused. A repeated call for an object does not add to its loss, which is always
 * counted from the totals before the first call.
 */
export function permitRemovals(ledger: Ledger, call: PermitCall, { now }: Moment): Permission {
  if (call.isShrinkAllowed) return release(ledger, call, now)
  for (const row of ledger.listLosses(now - WINDOW)) ledger.keepObject({ ...row, loss: null })
  const asked = call.objects.flatMap((object) => ask(ledger, object, now))
  for (const { row, after } of asked) ledger.keepObject(lose(row, after, now))
  const removals = asked.filter(({ isRemoval }) => isRemoval)
  const standing = ledger.readStanding()
  const hold = standing.hold ?? findHold(standing, now)
  const isRefused = hold !== null && removals.length > 0
  if (isRefused) for (const { row, after } of removals) ledger.keepObject(refuse(row, after))
  const next = ledger.readStanding().refusals === 0 ? null : hold
  if (JSON.stringify(next) !== JSON.stringify(standing.hold)) ledger.update({ hold: next })
  return {
    refused: isRefused ? removals.map(({ row }) => row.name) : [],
    reason: isRefused ? hold.reason : null,
  }
}

function ask(ledger: Ledger, object: ObjectCounts, now: number): readonly Asked[] {
  const row = ledger.findObject(object.name)
  if (row === null) return []
  const after = countObject(object)
  const isRemoval = !isNothing(subtractTotals(row, after)) && !isPermitted(row, after, now)
  return [{ row, after, isRemoval }]
}

/** Returns whether the put removes only what was permitted, so that it is no loss. */
function isPermitted({ removal }: ObjectRow, after: ObjectTotals, now: number): boolean {
  return removal !== null && removal.until > now && isNothing(subtractTotals(removal.after, after))
}

/** Returns the row with the loss that the put would cause. Repeating a removal that a person permitted is no loss. */
function lose(row: ObjectRow, after: ObjectTotals, now: number): ObjectRow {
  if (!isNothing(subtractTotals(row, after)) && isPermitted(row, after, now)) return row
  const before = row.loss?.before ?? row
  const lost = subtractTotals(before, after)
  const { sellers, profiles, products } = before
  const loss = { since: row.loss?.since ?? now, before: { sellers, profiles, products }, lost }
  return { ...row, loss: isNothing(lost) ? null : loss, removal: null }
}

/** Returns the row without the loss of this call, but with the refusal. */
function refuse(row: ObjectRow, after: ObjectTotals): ObjectRow {
  return { ...row, removal: { after, until: 0 } }
}

/**
 * Releases the guard: forgets all counted losses. A call without objects permits the removals refused so far, if they
 * are requested again within an hour; a call with objects permits only the puts of these objects.
 */
function release(ledger: Ledger, { objects }: PermitCall, now: number): Permission {
  for (const row of ledger.listGuarded()) {
    const isAllowed = row.removal?.until === 0 ? objects.length === 0 : (row.removal?.until ?? 0) > now
    const until = row.removal?.until === 0 ? now + WINDOW : (row.removal?.until ?? 0)
    const removal = row.removal === null || !isAllowed ? null : { ...row.removal, until }
    ledger.keepObject({ ...row, loss: null, removal })
  }
  ledger.update({ hold: null })
  return { refused: [], reason: null }
}

function findHold(
  { lost, before }: { readonly lost: ObjectTotals; readonly before: ObjectTotals },
  now: number,
): ObjectHold | null {
  const parts = DIMENSIONS.filter((dimension) => isTooMuch(lost[dimension], before[dimension])).map(
    (dimension) => `${lost[dimension]} of ${before[dimension]} ${dimension}`,
  )
  return parts.length === 0
    ? null
    : { since: now, reason: `too much would be removed within an hour: ${parts.join(', ')}` }
}
