/**
 * What the coordinator records of objects, and the changes that a step makes to it. Independent of storage. Every step reads
 * and writes only what the objects named in its call need: totals are counted on. Times are in milliseconds.
 */
import type { ObjectName } from '../../../domain/objects/object-data.ts'
import type { ObjectCounts } from '../object-ledger.ts'

/** Counts of one object, or sums of them. */
export interface Totals {
  readonly sellers: number
  readonly profiles: number
  readonly products: number
}

export interface ObjectStanding {
  /** Of all objects, as they were settled. */
  readonly totals: Totals
  /** The same, but objects with a loss count as they did before it. */
  readonly before: Totals
  /** Sum of all losses. */
  readonly lost: Totals
  /** Removals are held back until somebody allows them, or until all that were refused have come back. */
  readonly hold: Hold | null
  /** Number of objects whose removal was refused during this hold. */
  readonly refusals: number
  /** When an object was put last. */
  readonly lastPut: number | null
}

export interface Hold {
  readonly since: number
  readonly reason: string
}

/** An object as it was settled last. */
export interface ObjectRecord extends Totals {
  readonly name: ObjectName
  readonly version: number
  readonly bucket: number
  readonly updated: string
  /** Sequence of the last change that a put of this object answered; 0 for none. */
  readonly answered: number
}

/** What an object lost within the last hour. */
export interface Loss {
  readonly name: ObjectName
  readonly since: number
  /** Before the first of its losses. */
  readonly before: Totals
  readonly lost: Totals
}

/** A removal that was refused. */
interface RefusedRemoval {
  readonly name: ObjectName
  /** Counts of the objects that would be left. */
  readonly after: Totals
  /** Until when it is allowed, since somebody released the guard; 0 before that. */
  readonly until: number
}

/** Read access for a step. */
export interface ObjectRecords {
  readonly standing: ObjectStanding
  findObject(name: ObjectName): ObjectRecord | null
  findLoss(name: ObjectName): Loss | null
  /** Losses since this time or before it. */
  listLosses(until: number): readonly Loss[]
  isRefused(name: ObjectName): boolean
  findRemoval(name: ObjectName): RefusedRemoval | null
}

/** The changes of one step, written in one transaction, in this order. */
export interface ObjectChanges {
  /** Losses and refusals of all objects are forgotten. What was refused is allowed until this time; `null`: it is not. */
  readonly released?: { readonly now: number; readonly allowedUntil: number | null }
  readonly forgottenRemovals?: readonly ObjectName[]
  readonly removals?: readonly RefusedRemoval[]
  readonly forgottenLosses?: readonly ObjectName[]
  readonly losses?: readonly Loss[]
  readonly forgottenRefusals?: readonly ObjectName[]
  readonly refusals?: readonly ObjectName[]
  readonly objects?: readonly ObjectRecord[]
  /** From accepted to live, of changes. */
  readonly latencies?: readonly number[]
  readonly standing?: ObjectStanding
}

export interface ObjectStep<Answer> {
  readonly changes: ObjectChanges
  readonly answer: Answer
}

export const NOTHING: Totals = { sellers: 0, profiles: 0, products: 0 }

export const NO_OBJECTS: ObjectStanding = {
  totals: NOTHING,
  before: NOTHING,
  lost: NOTHING,
  hold: null,
  refusals: 0,
  lastPut: null,
}

export const DIMENSIONS = ['sellers', 'profiles', 'products'] as const

export function countObject({ isGone, hasProfile, products }: ObjectCounts): Totals {
  if (isGone) return NOTHING
  return { sellers: 1, profiles: hasProfile ? 1 : 0, products }
}

export function addTotals(a: Totals, b: Totals): Totals {
  return {
    sellers: a.sellers + b.sellers,
    profiles: a.profiles + b.profiles,
    products: a.products + b.products,
  }
}

export function subtractTotals(a: Totals, b: Totals): Totals {
  return {
    sellers: a.sellers - b.sellers,
    profiles: a.profiles - b.profiles,
    products: a.products - b.products,
  }
}

/** What of `before` is gone. */
export function findLost(before: Totals, after: Totals): Totals {
  const { sellers, profiles, products } = subtractTotals(before, after)
  return {
    sellers: Math.max(0, sellers),
    profiles: Math.max(0, profiles),
    products: Math.max(0, products),
  }
}

export function isNothing(totals: Totals): boolean {
  return DIMENSIONS.every((dimension) => totals[dimension] === 0)
}
