/** Creates random stories of a lane with a number of edits. */
import fc from 'fast-check'
import type { Edit, End, Happening, Night, Publish, Put } from './happenings.ts'
import { MACHINES, NAMES, PRODUCTS, SELLERS } from './happenings.ts'

export type StoryLane = 'assets' | 'objects'

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      product: fc.constantFrom(...PRODUCTS),
      owner: fc.option(fc.constantFrom(...SELLERS), { freq: 5, nil: null }),
      name: fc.constantFrom(...NAMES),
      price: fc.constantFrom(0, 100, 200, 300),
      available: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      profile: fc.constantFrom(...SELLERS),
      name: fc.option(fc.constantFrom(...NAMES), { freq: 4, nil: null }),
    }),
  },
)
const machine = fc.constantFrom(...MACHINES)
const rarely = fc.nat(4).map((one) => one === 0)
const often = fc.nat(4).map((one) => one > 0)
const end: fc.Arbitrary<End> = fc.option(
  fc.record({
    call: fc.integer({ min: 1, max: 9 }),
    when: fc.constantFrom('before' as const, 'after' as const),
  }),
  { freq: 2, nil: null },
)
const publish: fc.Arbitrary<Publish> = fc.record({
  kind: fc.constant('publish' as const),
  machine,
  isWhole: rarely,
  isClaimed: fc.boolean(),
  end,
})
const put: fc.Arbitrary<Put> = fc.record({
  kind: fc.constantFrom('push' as const, 'consume' as const),
  sellers: fc.uniqueArray(fc.constantFrom(...SELLERS), { minLength: 1, maxLength: SELLERS.length }),
  isFed: often,
})
const night: fc.Arbitrary<Night> = fc.record({ kind: fc.constant('night' as const), machine, end })

type Weighted = readonly [weight: number, arbitrary: fc.Arbitrary<Happening>]

const kinds = (...names: ('index deleted' | 'index emptied' | 'count lost' | 'kept')[]): Weighted => [
  1,
  fc.record({ kind: fc.constantFrom(...names) }),
]

const race = (outer: fc.Arbitrary<Publish | Night>, inner: fc.Arbitrary<Publish | Put>): Weighted => [
  2,
  fc.record({
    kind: fc.constant('race' as const),
    outer,
    call: fc.integer({ min: 1, max: 12 }),
    edit,
    inner,
  }),
]

const BOTH: readonly Weighted[] = [
  [30, fc.record({ kind: fc.constant('edit' as const), edit })],
  [12, fc.record({ kind: fc.constant('late' as const), pick: fc.nat(30) })],
  [1, fc.record({ kind: fc.constant('other shards' as const), shards: fc.integer({ min: 1, max: 3 }) })],
  [1, fc.record({ kind: fc.constant('state' as const), machine, isKept: fc.boolean() })],
]

const KINDS: Readonly<Record<StoryLane, readonly Weighted[]>> = {
  assets: [
    ...BOTH,
    [24, publish],
    race(publish, publish),
    kinds('index deleted', 'index emptied', 'count lost', 'kept', 'kept', 'kept'),
  ],
  objects: [
    ...BOTH,
    [24, put],
    [6, night],
    race(night, put),
    kinds('index deleted', 'index emptied', 'kept', 'kept'),
    [1, fc.record({ kind: fc.constant('bucket restored' as const) })],
  ],
}

/** Until the story has so many edits, those of races not counted. */
export function createStories(lane: StoryLane, edits: number): fc.Arbitrary<readonly Happening[]> {
  const happening = fc.oneof(...KINDS[lane].map(([weight, arbitrary]) => ({ weight, arbitrary })))
  const [first] = BOTH
  const sum = KINDS[lane].reduce((total, [weight]) => total + weight, 0)
  const length = Math.ceil((edits * sum) / (first?.[0] ?? 1))
  return fc.array(happening, { minLength: length, maxLength: length, size: 'max' })
}
