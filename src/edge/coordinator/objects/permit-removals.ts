/**
 * The guard: refuses removals when the losses of the last hour, in one call or in many, are too large a part of the
 * site. It then refuses all removals until a person permits them, or until no refused removal is left. If the losses
 * would be acceptable without one object, it refuses only the removals of that object, so that one seller cannot block
 * the others.
 */
import { isTooMuch } from '../../../domain/objects/large-share.ts'
import type { Ledger, Moment, Standing } from '../ledger.ts'
import type { ObjectCounts, Permission, PermitCall } from '../object-ledger.ts'
import type { ObjectHold, ObjectRow, ObjectTotals } from './object-row.ts'
import { countObject, DIMENSIONS, leaveOut, subtractTotals, isNothing } from './object-row.ts'

/** How long a loss is counted, and how long a permission to repeat a removal lasts, in milliseconds. */
const WINDOW = 60 * 60_000

/**
 * An object that the call names and that has a row in the ledger. A put of an object without a row removes nothing, so
 * it is not checked.
 */
interface Asked {
  readonly row: ObjectRow
  /** Counts of the object after the put. */
  readonly after: ObjectTotals
  readonly isRemoval: boolean
}

/**
 * Returns the names that must not be put, and why. Repeated calls for an object do not add up, because its loss is
 * always counted from its counts before the first loss.
 */
export function permitRemovals(ledger: Ledger, call: PermitCall, { now }: Moment): Permission {
  if (call.isShrinkAllowed) return release(ledger, call, now)
  for (const row of ledger.eachLoss(now - WINDOW)) ledger.keepObject({ ...row, loss: null })
  const asked = call.objects.flatMap((object) => ask(ledger, object, now))
  for (const { row, after } of asked) ledger.keepObject(lose(row, after, now))
  const removals = asked.filter(({ isRemoval }) => isRemoval)
  const known = ledger.readStanding().hold
  const { hold, refused } = decide(ledger, removals, now)
  for (const { row, after } of refused) ledger.keepObject(refuse(row, after))
  const next = ledger.readStanding().refusals === 0 ? null : hold
  if (JSON.stringify(next) !== JSON.stringify(known)) ledger.update({ hold: next })
  const isRefused = hold !== null && refused.length > 0
  return { refused: refused.map(({ row }) => row.name), reason: isRefused ? hold.reason : null }
}

interface Decision {
  readonly hold: ObjectHold | null
  readonly refused: readonly Asked[]
}

/**
 * Decides which removals are refused. If the guard holds one object, and a second object makes the losses too large,
 * the hold is extended to all objects.
 */
function decide(ledger: Ledger, removals: readonly Asked[], now: number): Decision {
  const { hold, lost, before } = ledger.readStanding()
  if (hold !== null && hold.only === undefined) return { hold, refused: removals }
  const reason = findExcess(lost, before)
  if (reason === null) return { hold, refused: [] }
  const since = hold?.since ?? now
  const only = findOnly(ledger, { lost, before })
  const refused = removals.filter(({ row }) => row.name === only)
  const isSecond = refused.length > 0 && hold !== null && hold.only !== only
  if (only === null || isSecond) return { hold: { since, reason }, refused: removals }
  if (refused.length === 0) return { hold, refused }
  return { hold: { since, reason: `${reason}, most of it from the seller ${only}`, only }, refused }
}

/** Returns the name of the object without which the losses would be acceptable; `null` for none. */
function findOnly(ledger: Ledger, { lost, before }: Pick<Standing, 'lost' | 'before'>): string | null {
  const { name, loss } = ledger.findGreatestLoss(before) ?? { name: '', loss: null }
  const isOfOne =
    loss !== null && findExcess(leaveOut(lost, loss.lost), leaveOut(before, loss.before)) === null
  return isOfOne ? name : null
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

/**
 * Returns the row with the refused removal. `row` is the row as it was before this call, so that the refused put adds
 * no loss.
 */
function refuse(row: ObjectRow, after: ObjectTotals): ObjectRow {
  return { ...row, removal: { after, until: 0 } }
}

/**
 * Releases the guard: forgets all counted losses. A call without objects permits the removals refused so far, if they
 * are requested again within an hour; a call with objects permits only the puts of these objects.
 */
function release(ledger: Ledger, { objects }: PermitCall, now: number): Permission {
  for (const row of ledger.eachGuarded(now)) {
    const isAllowed = row.removal?.until === 0 ? objects.length === 0 : (row.removal?.until ?? 0) > now
    const until = row.removal?.until === 0 ? now + WINDOW : (row.removal?.until ?? 0)
    const removal = row.removal === null || !isAllowed ? null : { ...row.removal, until }
    ledger.keepObject({ ...row, loss: null, removal })
  }
  ledger.update({ hold: null })
  return { refused: [], reason: null }
}

/**
 * Forgets the refused removals that a full read no longer asks for, and ends the hold if no refused removal is left.
 * `isAsked`: whether the removal may still be requested.
 */
export function forgetRefused(ledger: Ledger, now: number, isAsked: (name: string) => boolean): void {
  for (const row of ledger.eachGuarded(now))
    if (row.removal?.until === 0 && !isAsked(row.name)) ledger.keepObject({ ...row, removal: null })
  if (ledger.readStanding().refusals === 0) ledger.update({ hold: null })
}

/** Returns why the losses are too large; `null` if they are not. */
function findExcess(lost: ObjectTotals, before: ObjectTotals): string | null {
  const parts = DIMENSIONS.filter((dimension) => isTooMuch(lost[dimension], before[dimension])).map(
    (dimension) => `${lost[dimension]} of ${before[dimension]} ${dimension}`,
  )
  return parts.length === 0 ? null : `too much would be removed within an hour: ${parts.join(', ')}`
}

/** Moves the retries of builders' refused removals to now, because a person permitted the removals. */
export function retryHeld(ledger: Ledger, { now }: Moment): void {
  for (const { failure, ...row } of ledger.listFailing()) {
    const until = ledger.findObject(row.seller)?.removal?.until ?? 0
    // A page that failed for another reason keeps its delay.
    if (until > now && failure !== null && failure.retryAt > now)
      ledger.keepRow({ ...row, failure: { ...failure, retryAt: now } })
  }
}
