/** Draws random stories about the search index: edits, feeds that are killed or overlap with others, and lost data. */
import fc from 'fast-check'
import type { Drawn } from '../draw.ts'
import { draw, drawMany, drawOne } from '../draw.ts'

export const SEARCH_SELLERS = ['ana', 'bea', 'caro', 'dulce', 'eva', 'fe', 'gala', 'ida'] as const
const PRODUCTS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9'] as const
const NAMES = ['Ángel', 'Eros', 'Bleu 100 ml', 'Chanel EDP', 'Channel', 'Rosa'] as const
export const MACHINES = ['one', 'two'] as const

const edit = drawOne(
  [
    4,
    fc.record({
      product: fc.constantFrom(...PRODUCTS),
      /** `null` deletes the product. */
      owner: fc.option(fc.constantFrom(...SEARCH_SELLERS), { freq: 5, nil: null }),
      name: fc.constantFrom(...NAMES),
      price: fc.constantFrom(0, 100, 200, 300),
      available: fc.boolean(),
    }),
  ],
  [
    1,
    fc.record({
      profile: fc.constantFrom(...SEARCH_SELLERS),
      /** `null` deletes the profile. */
      name: fc.option(fc.constantFrom<string>(...NAMES), { freq: 4, nil: null }),
    }),
  ],
)

export type StoryEdit = Drawn<typeof edit>

const machine = fc.constantFrom(...MACHINES)

/** The process is killed before or after its call with number `call`; `null` if it is not killed. */
const end = fc.option(
  fc.record({
    call: fc.integer({ min: 1, max: 9 }),
    when: fc.constantFrom('before' as const, 'after' as const),
  }),
  { freq: 2, nil: null },
)
export type End = Drawn<typeof end>

/** A machine reads the source, publishes, and feeds the index. `isWhole`: the read is a full read. */
const publish = draw('publish', {
  machine,
  isWhole: fc.nat(4).map((one) => one === 0),
  end,
})
export type Publish = Drawn<typeof publish>

/**
 * While `outer` waits before its call with number `call`, an edit happens and `inner` runs, unless both use the same
 * machine.
 */
const race = draw('race', {
  outer: publish,
  call: fc.integer({ min: 1, max: 12 }),
  edit,
  inner: publish,
})

const EDITS = 30
const HAPPENINGS = [
  [EDITS, draw('edit', { edit })],
  /** One of the most recent calls arrives late, or a second time. */
  [12, draw('late', { pick: fc.nat(30) })],
  [1, draw('other shards', { shards: fc.integer({ min: 1, max: 3 }) })],
  /** From now on, the machine has a copy of the state that the most recent `kept` saved (`isKept`), or no state. */
  [1, draw('state', { machine, isKept: fc.boolean() })],
  [24, publish],
  [2, race],
  [1, draw(['index deleted', 'shard emptied', 'kept', 'kept', 'kept'])],
] as const

export type SearchHappening = Drawn<(typeof HAPPENINGS)[number][1]>

/** Creates stories with `edits` edits on average, not counting the edits of races. */
export function createSearchStories(edits: number): fc.Arbitrary<readonly SearchHappening[]> {
  const sum = HAPPENINGS.reduce((total, [weight]) => total + weight, 0)
  return drawMany(drawOne(...HAPPENINGS), Math.ceil((edits * sum) / EDITS))
}
