/** Creates random stories: single happenings, and scenes of several. */
import fc from 'fast-check'
import type { TroubleKind } from '../../../src/edge/intake/seller-source.ts'
import type { Fate, Happening, Steps, Story } from './happenings.ts'
import { BUILDERS, CENTERS, CODES, PATHS } from './happenings.ts'
import { createChangeScene, SLOW_READ } from './scenes.ts'
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
  [9, fc.record({ kind: kind('edit'), edit, isSilent: rarely, isHalf: rarely, isLate: rarely })],
  [8, fc.record({ kind: kind('visit'), center, path, isOlder: fc.boolean(), steps: visitSteps })],
  [9, fc.record({ kind: kind('build'), builder, isWhole: rarely, center, steps })],
  [16, fc.record({ kind: kind('go'), pick, fate, steps })],
  [1, fc.record({ kind: fc.constantFrom('die' as const, 'hang up' as const), builder })],
  [2, fc.record({ kind: kind('repeat'), pick, center, steps })],
  [2, fc.record({ kind: kind('switch'), code: fc.constantFrom(...CODES) })],
  [1, fc.record({ kind: kind('switch is through') })],
  [1, fc.record({ kind: fc.constantFrom('store fails' as const, 'evict' as const) })],
  [2, fc.record({ kind: kind('store works') })],
  [4, fc.record({ kind: kind('time'), ms: fc.constantFrom(...MS) })],
]

const trouble = fc.constantFrom<TroubleKind>('denied', 'missing', 'busy', 'unavailable')

const faulty = fc.record({ fate: fc.constantFrom<Fate>('failed', 'unheard', 'slow'), steps })
/** Longer than the quiet period of a seller, in milliseconds. */
const QUIET = 2_500

const CHANGES: typeof WEIGHTED = [
  [2, fc.record({ kind: kind('notice'), pick, isRepeated: fc.boolean(), steps })],
  [8, fc.record({ kind: kind('alarm'), steps })],
  [
    12,
    fc.record({
      kind: kind('deliver'),
      pick,
      count: fc.integer({ min: 1, max: 3 }),
      isRepeated: rarely,
      isOlder: fc.boolean(),
      steps,
      next: fc.option(faulty, { nil: undefined }),
    }),
  ],
  [6, fc.constant({ kind: 'time', ms: QUIET })],
  [1, fc.record({ kind: fc.constantFrom('lose change' as const, 'bury change' as const), pick })],
  [1, fc.record({ kind: kind('source fails'), trouble, retryAfter: fc.constantFrom(0, 2_000, 90_000) })],
  [2, fc.record({ kind: kind('source works') })],
  [1, fc.record({ kind: fc.constantFrom('grow' as const, 'shrink' as const), seller })],
  [1, fc.record({ kind: kind('allow') })],
]

const CRASH: readonly [number, fc.Arbitrary<Happening>] = [1, fc.record({ kind: kind('crash') })]

const SINGLE = 100
const SEEN = { weight: 1, arbitrary: SLOW_READ }
/** The weight of scenes of changes. */
const CHANGED = 6

/** One of so many stories has crashes where they are expensive. */
const FEW = 30

export function createStories(length: number, areCrashesCheap: boolean): fc.Arbitrary<Story> {
  const withCrashes = createKinds([...WEIGHTED, CRASH], length, true)
  if (areCrashesCheap) return withCrashes
  return fc.oneof(
    { weight: FEW - 1, arbitrary: createKinds(WEIGHTED, length, false) },
    { weight: 1, arbitrary: withCrashes },
  )
}

function createKinds(weighted: typeof WEIGHTED, length: number, hasCrashes: boolean): fc.Arbitrary<Story> {
  const scenes = [SEEN, { weight: CHANGED, arbitrary: createChangeScene(hasCrashes) }]
  return fc.oneof(
    createStoriesOf(weighted, [SEEN], length).map((story) => ({ ...story, isQueued: false })),
    createStoriesOf([...weighted, ...CHANGES], scenes, length).map((story) => ({
      ...story,
      isQueued: true,
    })),
  )
}

type Scene = fc.Arbitrary<readonly Happening[]>

interface WeightedScene {
  /** Beside `SINGLE`. */
  readonly weight: number
  readonly arbitrary: Scene
}

function createStoriesOf(
  weighted: typeof WEIGHTED,
  scenes: readonly WeightedScene[],
  length: number,
): fc.Arbitrary<Omit<Story, 'isQueued'>> {
  const happening = fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })))
  const part: Scene = fc.oneof({ weight: SINGLE, arbitrary: happening.map((one) => [one]) }, ...scenes)
  return fc.record({
    isFilled: fc.boolean(),
    isShared: fc.boolean(),
    deaf: fc.subarray([...CENTERS]),
    happenings: fc.array(part, { maxLength: length, size: 'max' }).map((parts) => parts.flat()),
  })
}
