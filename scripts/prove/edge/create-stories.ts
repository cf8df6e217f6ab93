/** Creates random stories: single happenings, and scenes of several. */
import fc from 'fast-check'
import type { Fate, Happening, Steps, Story } from './happenings.ts'
import { BUILDERS, CENTERS, CODES, PATHS } from './happenings.ts'
import { SLOW_READ } from './scenes.ts'
import type { Edit } from './source.ts'
import { PRODUCTS, SELLERS } from './source.ts'

// Stories about few sellers have more that happens at once.
const seller = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('ana', '1') },
  { weight: 1, arbitrary: fc.constantFrom(...SELLERS) },
)
const price = fc.constantFrom(1, 2, 3)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ product: fc.constantFrom(...PRODUCTS), owner: seller, price }) },
  {
    weight: 1,
    arbitrary: fc.record({ product: fc.constantFrom(...PRODUCTS), owner: fc.constant(null), price }),
  },
  { weight: 2, arbitrary: fc.record({ profile: seller, name: fc.constantFrom('Ana', 'Eva', null) }) },
  { weight: 1, arbitrary: fc.record({ leaves: seller }) },
)
const center = fc.constantFrom(...CENTERS)
const builder = fc.constantFrom(...BUILDERS)
const steps: fc.Arbitrary<Steps> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat(9) },
)
const visitSteps: fc.Arbitrary<Steps> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat(5) },
)
const fate = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Fate>('good') },
  { weight: 1, arbitrary: fc.constantFrom<Fate>('failed', 'unheard') },
  { weight: 2, arbitrary: fc.constant<Fate>('slow') },
)
const rarely = fc.oneof(
  { weight: 9, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
)
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PATHS.slice(0, 9)) },
  { weight: 1, arbitrary: fc.constantFrom(...PATHS) },
)
const pick = fc.nat(7)
const kind = <Kind extends Happening['kind']>(name: Kind): fc.Arbitrary<Kind> => fc.constant(name)

const MS = [1, 900, 2_000, 6_000, 70_000, 1_700_000, 4_000_000] as const

const WEIGHTED: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Happening>])[] = [
  [9, fc.record({ kind: kind('edit'), edit, isSilent: rarely })],
  [8, fc.record({ kind: kind('visit'), center, path, isOlder: fc.boolean(), steps: visitSteps })],
  [9, fc.record({ kind: kind('build'), builder, isWhole: rarely, center, steps })],
  [16, fc.record({ kind: kind('go'), pick, fate, steps })],
  [1, fc.record({ kind: fc.constantFrom('die' as const, 'hang up' as const), builder })],
  [2, fc.record({ kind: kind('repeat'), pick, center, steps })],
  [2, fc.record({ kind: kind('switch'), code: fc.constantFrom(...CODES), steps })],
  [1, fc.record({ kind: kind('switch is through') })],
  [3, fc.record({ kind: kind('message'), pick, isRepeated: rarely, isOlder: fc.boolean(), steps })],
  [1, fc.record({ kind: fc.constantFrom('store fails' as const, 'evict' as const) })],
  [2, fc.record({ kind: kind('store works') })],
  [1, fc.record({ kind: kind('lose'), pick })],
  [4, fc.record({ kind: kind('time'), ms: fc.constantFrom(...MS) })],
]

const CRASH: readonly [number, fc.Arbitrary<Happening>] = [1, fc.record({ kind: kind('crash') })]

/** For each scene. */
const SINGLE = 100

/** One of so many stories has crashes where they are expensive. */
const FEW = 30

export function createStories(length: number, areCrashesCheap: boolean): fc.Arbitrary<Story> {
  const withCrashes = createStoriesOf([...WEIGHTED, CRASH], length)
  if (areCrashesCheap) return withCrashes
  return fc.oneof(
    { weight: FEW - 1, arbitrary: createStoriesOf(WEIGHTED, length) },
    { weight: 1, arbitrary: withCrashes },
  )
}

function createStoriesOf(weighted: typeof WEIGHTED, length: number): fc.Arbitrary<Story> {
  const happening = fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })))
  const part: fc.Arbitrary<readonly Happening[]> = fc.oneof(
    { weight: SINGLE, arbitrary: happening.map((one) => [one]) },
    { weight: 1, arbitrary: SLOW_READ },
  )
  return fc.record({
    isFilled: fc.boolean(),
    isShared: fc.boolean(),
    deaf: fc.subarray([...CENTERS]),
    happenings: fc.array(part, { maxLength: length, size: 'max' }).map((parts) => parts.flat()),
  })
}
