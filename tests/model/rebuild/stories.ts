/** Random stories of one site: what changes, which runs are cut off, and when the power fails. */
import fc from 'fast-check'
import type { PageKind } from '../../../src/domain/documents/page-table.ts'
import type { Cut, Fault } from './machine-host.ts'

export const SETTINGS = [
  'name',
  'url',
  'accessUrl',
  'productPages',
  'feeds',
  'posters',
  'search',
  'runtime',
  'publicFiles',
  'maxProducts',
] as const

/** Each is 0 or 1. */
export type Settings = Readonly<Record<(typeof SETTINGS)[number], number>>

/** Parts of the site that can be restored from an earlier time. */
export const RESTORABLE = ['dist', 'state', 'source'] as const
const LOSABLE = ['dist', 'state', 'pictures', 'renderers'] as const

/** A part of the site that can be lost, or restored. */
export type Part = (typeof RESTORABLE)[number] | (typeof LOSABLE)[number]

export type Change =
  | { readonly kind: 'product'; readonly id: string; readonly seller: string; readonly n: number }
  | { readonly kind: 'profile'; readonly seller: string; readonly n: number }
  | { readonly kind: 'drop'; readonly n: number }
  | { readonly kind: 'leave'; readonly seller: string }
  /** Replaces the sellers of the earlier crowd. */
  | { readonly kind: 'crowd'; readonly size: number; readonly n: number }
  /** The data are what they were before an earlier round. */
  | { readonly kind: 'return'; readonly rounds: number }
  | { readonly kind: 'code'; readonly version: number }
  | { readonly kind: 'setting'; readonly name: keyof Settings; readonly value: number }
  /** A picture of one of the photos arrives. */
  | { readonly kind: 'picture'; readonly n: number }
  /** The source's log of changes loses all rows but the last ones. */
  | { readonly kind: 'prune'; readonly left: number }
  | { readonly kind: 'lose'; readonly parts: readonly (typeof LOSABLE)[number][] }
  | { readonly kind: 'restore'; readonly parts: readonly (typeof RESTORABLE)[number][]; readonly n: number }
  | { readonly kind: 'damage'; readonly how: 'edit' | 'cut' | 'delete' | 'add'; readonly n: number }

export interface RunOptions {
  readonly isFull: boolean
  /** Sellers who are due. */
  readonly sellers: readonly string[]
  /** True if a coordinator named the sellers. */
  readonly isClaimed: boolean
  readonly isExplained: boolean
}

/** Pages that cannot be rendered: those of a seller, or with an empty id those of no seller. */
export interface Failing {
  readonly seller: string
  /** `null` for every kind. */
  readonly page: PageKind | null
}

/** A run before the one that must succeed. */
export interface Attempt extends Pick<RunOptions, 'isFull' | 'sellers'> {
  readonly failing: Failing | null
  readonly fault: Fault | null
  /** What happens at the n-th change of the disk; at 0, while the code is compiled. */
  readonly meanwhile: { readonly at: number; readonly change: Change } | null
  /** The power cut after the run; `null` for none. */
  readonly cut: Cut | null
  /** True if it follows the run before within a second, else within a day. */
  readonly isSoon: boolean
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
  /** Whether the run that must succeed is explained first. */
  readonly isExplained: boolean
  /** Whether the run that must succeed looks at everything. */
  readonly isFull: boolean
}

export interface Story {
  /** `embedded` keeps a log of changes, `folder` has none, and of a `named` one a coordinator knows who changed. */
  readonly source: 'embedded' | 'folder' | 'named'
  readonly rounds: readonly Round[]
}

const number = fc.nat(99)
const seller = fc.constantFrom('1', 'ana', 'eva', '404', 'a b', 's-2')
const product = fc.constantFrom('p0', 'p1', 'p2', 'p3', 'feed', '404')

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

const edits = [
  [6, change('product', { id: product, seller, n: number })],
  [2, change('profile', { seller, n: number })],
  [2, change('drop', { n: number })],
  [1, change('leave', { seller })],
] as const
const news = [
  [2, change('code', { version: fc.nat(2) })],
  [2, change('setting', { name: fc.constantFrom(...SETTINGS), value: fc.nat(1) })],
  [2, change('picture', { n: fc.nat(1) })],
] as const
const changes = oneOf<Change>(
  ...edits,
  ...news,
  [2, change('crowd', { size: fc.nat(25), n: fc.nat(1) })],
  [3, change('return', { rounds: fc.integer({ min: 1, max: 3 }) })],
  [1, change('prune', { left: fc.nat(3) })],
  [1, change('lose', { parts: fc.subarray([...LOSABLE], { minLength: 1 }) })],
  [2, change('restore', { parts: fc.subarray([...RESTORABLE], { minLength: 1 }), n: number })],
  [1, change('damage', { how: fc.constantFrom('edit', 'cut', 'delete', 'add'), n: number })],
)

const rarely = (chances: number): fc.Arbitrary<boolean> => fc.nat(chances - 1).map((n) => n === chances - 1)
const maybe = <T>(
  arbitrary: fc.Arbitrary<T>,
  [none, some]: readonly [number, number],
): fc.Arbitrary<T | null> => oneOf<T | null>([none, fc.constant(null)], [some, arbitrary])
const at = oneOf([1, fc.integer({ min: 1, max: 30 })], [1, fc.integer({ min: 1, max: 150 })])
const moment = fc.constantFrom('before' as const, 'during' as const, 'after' as const)
const fault = oneOf<Fault | null>(
  [2, fc.constant(null)],
  [4, fc.record({ kind: fc.constant('kill' as const), at, moment })],
  [2, fc.record({ kind: fc.constant('error' as const), at, isLasting: fc.boolean() })],
)
const cut = oneOf<Cut>([4, fc.nat()], [1, fc.constantFrom('everything', 'removals')])
const failing = fc.record({
  seller: oneOf([6, seller], [1, fc.constant('')]),
  page: fc.constantFrom<(PageKind | null)[]>(null, 'catalogue', 'product', 'home'),
})
const meanwhile = fc.record({
  at: oneOf([1, fc.constant(0)], [2, at]),
  change: oneOf<Change>(...edits, ...news),
})
const attempt = fc.record({
  isFull: rarely(8),
  sellers: oneOf<string[]>([5, fc.constant([])], [1, fc.array(seller, { minLength: 1, maxLength: 2 })]),
  failing: maybe(failing, [3, 1]),
  fault,
  meanwhile: maybe(meanwhile, [4, 1]),
  cut: maybe(cut, [2, 1]),
  isSoon: fc.boolean(),
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
  isExplained: rarely(6),
  isFull: rarely(10),
})

export const STORIES: fc.Arbitrary<Story> = fc.record({
  source: fc.constantFrom('embedded' as const, 'folder' as const, 'named' as const),
  rounds: fc.array(round, { minLength: 2, maxLength: 7, size: 'max' }),
})
