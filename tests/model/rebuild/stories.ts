/** Random stories of one site: what changes, which runs are cut off, and when the power fails. */
import fc from 'fast-check'
import type { Cut, Fault } from './machine-host.ts'

/** Parts of the program's code that shape pages. */
const CODE_PARTS = ['renderer', 'reading', 'data', 'calling'] as const

/** The version of each part. */
export type Code = Readonly<Record<(typeof CODE_PARTS)[number], number>>

export const SETTINGS = [
  'name',
  'url',
  'accessUrl',
  'productPages',
  'feeds',
  'posters',
  'search',
  'runtime',
  'pictures',
  'publicFiles',
  'maxProducts',
] as const

/** Each is 0 or 1. */
export type Settings = Readonly<Record<(typeof SETTINGS)[number], number>>

const PARTS = ['dist', 'snapshot', 'record', 'source'] as const

/** A part of the site that can be lost, or restored from an earlier round. */
export type Part = (typeof PARTS)[number]

export type Change =
  | { readonly kind: 'product'; readonly id: string; readonly seller: string; readonly n: number }
  | { readonly kind: 'profile'; readonly seller: string; readonly n: number }
  | { readonly kind: 'drop'; readonly n: number }
  | { readonly kind: 'leave'; readonly seller: string }
  /** Replaces the sellers of the earlier crowd. */
  | { readonly kind: 'crowd'; readonly size: number; readonly n: number }
  /** The data are what they were before an earlier round. */
  | { readonly kind: 'return'; readonly rounds: number }
  | { readonly kind: 'code'; readonly part: (typeof CODE_PARTS)[number]; readonly version: number }
  | { readonly kind: 'setting'; readonly name: keyof Settings; readonly value: number }
  | { readonly kind: 'lose'; readonly parts: readonly Part[] }
  | { readonly kind: 'restore'; readonly parts: readonly Part[]; readonly n: number }
  | { readonly kind: 'damage'; readonly how: 'edit' | 'cut' | 'delete' | 'add'; readonly n: number }

export interface RunOptions {
  readonly isFull: boolean
  readonly isVerify: boolean
  /** Sellers to read; all changes if empty. */
  readonly sellers: readonly string[]
}

/** A run before the one that must succeed. */
export interface Attempt extends RunOptions {
  /** Seller whose pages cannot be rendered. */
  readonly failing: string | null
  readonly fault: Fault | null
  /** The power cut after the run; `null` for none. */
  readonly cut: Cut | null
}

export interface Round {
  /** So much time has passed that the system has written everything to the disk. */
  readonly isLater: boolean
  readonly changes: readonly Change[]
  /** How a program writes a changed row of the embedded database. */
  readonly style: 'update' | 'replace' | 'reinsert'
  readonly attempts: readonly Attempt[]
  /** The data return to what they were before this round, after its attempts. */
  readonly isUndone: boolean
  /** Options of the run that must succeed. */
  readonly last: RunOptions
}

export interface Story {
  /** `embedded` keeps a log of changes, and `folder` has none. */
  readonly source: 'embedded' | 'folder'
  readonly rounds: readonly Round[]
}

const number = fc.nat(99)
const seller = fc.constantFrom('1', 'ana', 'eva', '404', 'a b', 's-2')
const product = fc.constantFrom('p0', 'p1', 'p2', 'p3', 'feed', '404')
const parts = fc.subarray([...PARTS], { minLength: 1 })

function oneOf<T>(
  ...choices: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]
): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
}

function change<Kind extends Change['kind']>(
  kind: Kind,
  fields: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Change> {
  return fc.record({ kind: fc.constant(kind), ...fields }) as unknown as fc.Arbitrary<Change>
}

const changes = oneOf(
  [6, change('product', { id: product, seller, n: number })],
  [2, change('profile', { seller, n: number })],
  [2, change('drop', { n: number })],
  [1, change('leave', { seller })],
  [2, change('crowd', { size: fc.nat(25), n: fc.nat(1) })],
  [3, change('return', { rounds: fc.integer({ min: 1, max: 3 }) })],
  [2, change('code', { part: fc.constantFrom(...CODE_PARTS), version: fc.nat(1) })],
  [2, change('setting', { name: fc.constantFrom(...SETTINGS), value: fc.nat(1) })],
  [1, change('lose', { parts: fc.subarray(['dist', 'snapshot', 'record'], { minLength: 1 }) })],
  [1, change('restore', { parts, n: number })],
  [1, change('damage', { how: fc.constantFrom('edit', 'cut', 'delete', 'add'), n: number })],
)

const rarely = (chances: number): fc.Arbitrary<boolean> => fc.nat(chances - 1).map((n) => n === chances - 1)
const options = fc.record({ isFull: rarely(10), isVerify: rarely(8), sellers: fc.constant([]) })
const at = oneOf([1, fc.integer({ min: 1, max: 30 })], [1, fc.integer({ min: 1, max: 150 })])
const moment = fc.constantFrom('before' as const, 'during' as const, 'after' as const)
const fault = oneOf<Fault | null>(
  [2, fc.constant(null)],
  [4, fc.record({ kind: fc.constant('kill' as const), at, moment })],
  [2, fc.record({ kind: fc.constant('error' as const), at, isLasting: fc.boolean() })],
)
const cut = oneOf<Cut>([4, fc.nat()], [1, fc.constantFrom('everything', 'removals')])
const attempt = fc.record({
  isFull: rarely(10),
  isVerify: rarely(8),
  sellers: oneOf<string[]>([5, fc.constant([])], [1, fc.array(seller, { minLength: 1, maxLength: 2 })]),
  failing: oneOf<string | null>([3, fc.constant(null)], [1, seller]),
  fault,
  cut: oneOf<Cut | null>([2, fc.constant(null)], [1, cut]),
})
// A power cut after a large run, and a death in the run that repairs it.
const cutThenKilled = fc
  .tuple(attempt, cut, fc.record({ at, moment }))
  .map(([one, loss, kill]): Attempt[] => {
    const plain = { ...one, sellers: [], failing: null }
    return [
      { ...plain, fault: null, cut: loss },
      { ...plain, fault: { kind: 'kill', ...kill }, cut: null },
    ]
  })
const round = fc.record({
  isLater: fc.boolean(),
  changes: fc.array(changes, { maxLength: 4 }),
  style: fc.constantFrom('update' as const, 'replace' as const, 'reinsert' as const),
  attempts: oneOf<Attempt[]>(
    [2, fc.constant([])],
    [4, fc.array(attempt, { minLength: 1, maxLength: 3 })],
    [1, cutThenKilled],
  ),
  isUndone: rarely(3),
  last: options,
})

export const STORIES: fc.Arbitrary<Story> = fc.record({
  source: fc.constantFrom('embedded' as const, 'folder' as const),
  rounds: fc.array(round, { minLength: 2, maxLength: 7, size: 'max' }),
})
