/**
 * The coordinator’s row of one object: the facts of its last version, and what the guard has recorded about it. Times
 * are in milliseconds.
 */
import type { ObjectCounts } from '../object-ledger.ts'

/** Counts of one object, or sums of such counts. */
export interface ObjectTotals {
  readonly sellers: number
  readonly profiles: number
  readonly products: number
}

/**
 * An object as last settled. Only a greater version replaces it. If the object is missing from the store, the row keeps
 * its version, with counts of 0.
 */
export interface ObjectRow extends ObjectTotals {
  readonly name: string
  readonly version: number
  readonly bucket: number
  readonly updated: string
  readonly loss: Loss | null
  readonly removal: RefusedRemoval | null
}

export interface ObjectHold {
  readonly since: number
  readonly reason: string
  /** The only object whose removals are refused; absent if the removals of all objects are refused. */
  readonly only?: string
}

/** The counts that an object has lost since `since`. The guard drops it at its first call after an hour. */
interface Loss {
  readonly since: number
  /** Counts of the object before its first loss. */
  readonly before: ObjectTotals
  readonly lost: ObjectTotals
}

interface RefusedRemoval {
  /** Counts of the object after the removal. */
  readonly after: ObjectTotals
  /** After a release of the guard: when the permission to repeat this removal ends. 0 while the removal is refused. */
  readonly until: number
}

export const NOTHING: ObjectTotals = { sellers: 0, profiles: 0, products: 0 }

export const DIMENSIONS = ['sellers', 'profiles', 'products'] as const

export function countObject({ isGone, hasProfile, products }: ObjectCounts): ObjectTotals {
  if (isGone) return NOTHING
  return { sellers: 1, profiles: hasProfile ? 1 : 0, products }
}

/** Returns by how much `after` is smaller than `before`; 0 for a count that is not smaller. */
export function subtractTotals(before: ObjectTotals, after: ObjectTotals): ObjectTotals {
  const lose = (dimension: keyof ObjectTotals): number => Math.max(0, before[dimension] - after[dimension])
  return { sellers: lose('sellers'), profiles: lose('profiles'), products: lose('products') }
}

export function leaveOut(totals: ObjectTotals, one: ObjectTotals): ObjectTotals {
  const left = (dimension: keyof ObjectTotals): number => totals[dimension] - one[dimension]
  return { sellers: left('sellers'), profiles: left('profiles'), products: left('products') }
}

export function isNothing(totals: ObjectTotals): boolean {
  return DIMENSIONS.every((dimension) => totals[dimension] === 0)
}
