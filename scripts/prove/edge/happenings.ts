/** What may happen in a story around stored pages: edits, visitors, builders, switches of the code, faults, and time. */
import fc from 'fast-check'
import type { Edit } from './source.ts'
import { SLOW_READ } from './scenes.ts'
import { PRODUCTS, SELLERS } from './source.ts'

export const BUILDERS = ['one', 'two'] as const
export type BuilderName = (typeof BUILDERS)[number]
/** Data centres. */
export const CENTERS = ['east', 'west'] as const
export type Center = (typeof CENTERS)[number]
/** Versions of the code. `c` takes in documents in another way. */
export const CODES = ['a', 'b', 'c'] as const
export type Code = (typeof CODES)[number]

/**
 * What happens to an operation. `failed`: it has no effect. `unheard`: it has its effect, and who asked for it gets an
 * error. `slow`: it has its effect, and the answer waits until the task is let go on.
 */
export type Fate = 'good' | 'failed' | 'unheard' | 'slow'

/** Operations that the task does before it waits; `null`: all. */
export type Steps = number | null

export type Happening =
  | { readonly kind: 'edit'; readonly edit: Edit; readonly isSilent: boolean }
  | {
      readonly kind: 'visit'
      readonly center: Center
      readonly path: string
      /** While two versions answer: which of them. */
      readonly isOlder: boolean
      readonly steps: Steps
    }
  /** A builder learns of changes and delivers them, or compares everything. */
  | {
      readonly kind: 'build'
      readonly builder: BuilderName
      readonly isWhole: boolean
      readonly center: Center
      readonly steps: Steps
    }
  /** The operation for which a task waits is let through; further ones follow. */
  | { readonly kind: 'go'; readonly pick: number; readonly fate: Fate; readonly steps: Steps }
  /** A builder's process ends, or it no longer waits for the answer of its call. The call goes on. */
  | { readonly kind: 'die' | 'hang up'; readonly builder: BuilderName }
  /** A copy of an earlier push arrives. */
  | { readonly kind: 'repeat'; readonly pick: number; readonly center: Center; readonly steps: Steps }
  /** The code is uploaded and goes live. Both versions answer until the switch is through. */
  | { readonly kind: 'switch'; readonly code: Code; readonly steps: Steps }
  | { readonly kind: 'switch is through' }
  /** A message of the refill is delivered; `isRepeated`: and once more, later. */
  | {
      readonly kind: 'message'
      readonly pick: number
      readonly isRepeated: boolean
      readonly isOlder: boolean
      readonly steps: Steps
    }
  /** The queue gives a message up. */
  | { readonly kind: 'lose'; readonly pick: number }
  | { readonly kind: 'store fails' | 'store works' | 'evict' }
  | { readonly kind: 'crash' }
  | { readonly kind: 'time'; readonly ms: number }

export interface Story {
  /** Whether the first fill is done. */
  readonly isFilled: boolean
  /** Whether each change is given to one of the builders, as the coordinator does. Otherwise each has the log of changes. */
  readonly isShared: boolean
  /** Data centres in which deleting an entry of the cache has no effect. */
  readonly deaf: readonly Center[]
  readonly happenings: readonly Happening[]
}

/** Every address that stories and the checks at rest ask for. */
export const PATHS: readonly string[] = [
  '/',
  ...SELLERS.flatMap((seller) => {
    const catalogue = `/catalogo/${encodeURIComponent(seller)}`
    return [catalogue, ...PRODUCTS.map((product) => `${catalogue}/${product}`)]
  }),
  '/catalogo/nobody',
  '/catalogo/nobody/p1',
  '/catalogo/404',
  '/catalogo/ana/p9',
]

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

/** One line for people. */
export function formatHappening({ kind: name, ...details }: Happening): string {
  const words = Object.entries(details).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
  return [name, ...words].join(', ')
}
