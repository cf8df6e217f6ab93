/**
 * Draws the random events of a story about stored pages: edits, visits, builds, switches of the code, faults, and time.
 */
import fc from 'fast-check'
import type { TroubleKind } from '../../../../src/edge/intake/seller-source.ts'
import type { Drawn } from '../../draw.ts'
import { draw, drawOne } from '../../draw.ts'
import type { StoryEdit } from '../../story-catalogue.ts'
import { EDGE_PRODUCTS, EDGE_SELLERS } from './source.ts'

export const EDGE_BUILDERS = ['one', 'two'] as const
export type BuilderName = (typeof EDGE_BUILDERS)[number]
/** Data centres. */
export const CENTERS = ['east', 'west'] as const
export type Center = (typeof CENTERS)[number]
/** Versions of the code. `a` and `b` have the same intake; `c` has another one. */
export const CODES = ['a', 'b', 'c'] as const
export type Code = (typeof CODES)[number]

/**
 * Outcome of an operation. `failed`: it has no effect, and the caller gets an error. `unheard`: it has its effect, and
 * the caller gets an error. `slow`: it has its effect, and the answer waits until the task may go on. If this delayed
 * answer gets the fate `failed` or `unheard`, the caller gets an error.
 */
export type Fate = 'good' | 'failed' | 'unheard' | 'slow'

/** Every address that stories visit. All are checked at the end of each story. */
export const PATHS: readonly string[] = [
  '/',
  ...EDGE_SELLERS.flatMap((seller) => {
    const catalogue = `/catalogo/${encodeURIComponent(seller)}`
    return [catalogue, ...EDGE_PRODUCTS.map((product) => `${catalogue}/${product}`)]
  }),
  '/catalogo/nobody',
  '/catalogo/nobody/p1',
  '/catalogo/404',
  '/catalogo/ana/p9',
]

// Most happenings concern the same two sellers, so that happenings often affect the same object.
const seller = drawOne([4, fc.constantFrom('ana', '1')], [1, fc.constantFrom(...EDGE_SELLERS)])
const price = fc.constantFrom(1, 2, 3)
const product = fc.constantFrom(...EDGE_PRODUCTS)
const edit: fc.Arbitrary<StoryEdit> = drawOne(
  [6, fc.record({ product, owner: seller, price })],
  [1, fc.record({ product, owner: fc.constant(null), price })],
  [2, fc.record({ profile: seller, name: fc.constantFrom('Ana', 'Eva', null) })],
  [1, fc.record({ leaves: seller })],
)
const center = fc.constantFrom(...CENTERS)
const builder = fc.constantFrom(...EDGE_BUILDERS)
/** Number of operations that the task does before it waits; `null`: all. */
const steps = drawOne([1, fc.constant(null)], [1, fc.nat(9)])
const visitSteps = drawOne([3, fc.constant(null)], [1, fc.nat(5)])
const fate = drawOne(
  [8, fc.constant<Fate>('good')],
  [1, fc.constantFrom<Fate>('failed', 'unheard')],
  [2, fc.constant<Fate>('slow')],
)
const rarely = drawOne([9, fc.constant(false)], [1, fc.constant(true)])
const path = drawOne([6, fc.constantFrom(...PATHS.slice(0, 9))], [1, fc.constantFrom(...PATHS)])
const pick = fc.nat(7)
const isOlder = fc.boolean()

const MS = [1, 900, 2_000, 6_000, 70_000, 1_700_000, 4_000_000] as const

const ALWAYS = [
  // `isSilent`: no notice is sent. `isHalf`: the notice of a moved product names only the old owner. `isLate`: the
  // notice does not arrive at once.
  [9, draw('edit', { edit, isSilent: rarely, isHalf: rarely, isLate: rarely })],
  // `isOlder`: while two versions answer, the older one serves the visit.
  [8, draw('visit', { center, path, isOlder, steps: visitSteps })],
  // A builder delivers the changes in the log, or compares all objects with the source (`isWhole`).
  [9, draw('build', { builder, isWhole: rarely, steps })],
  // A waiting task does up to `steps` operations, the first with `fate`.
  [16, draw('go', { pick, fate, steps })],
  // A builder's process ends, or the builder stops waiting for the answer to a call. The call itself goes on.
  [1, draw(['die', 'hang up'], { builder })],
  // A copy of a batch of objects that a builder sent earlier arrives late.
  [2, draw('repeat', { pick, center, steps })],
  // Other code is uploaded and goes live. Both versions answer until `switch is through`.
  [2, draw('switch', { code: fc.constantFrom(...CODES) })],
  [1, draw('switch is through')],
  [1, draw(['store fails', 'evict'])],
  [2, draw('store works')],
  [4, draw('time', { ms: fc.constantFrom<number>(...MS) })],
] as const

const trouble = fc.constantFrom<TroubleKind>('denied', 'missing', 'busy', 'unavailable')
/** The task does up to `steps` more operations. `fate` is the outcome of the first of them. */
const faulty = fc.record({ fate: fc.constantFrom<Fate>('failed', 'unheard', 'slow'), steps })

const OF_CHANGES = [
  // A notice arrives. `isRepeated`: the sender may send it again later.
  [2, draw('notice', { pick, isRepeated: fc.boolean(), steps })],
  // The coordinator's alarm fires and sends messages for changes that are due.
  [8, draw('alarm', { steps })],
  // The queue delivers up to `count` messages as one batch. `isRepeated`: the queue may deliver them again later, even
  // if they were acknowledged.
  [
    12,
    draw('deliver', {
      pick,
      count: fc.integer({ min: 1, max: 3 }),
      isRepeated: rarely,
      isOlder,
      steps,
      next: fc.option(faulty, { nil: undefined }),
    }),
  ],
  // The queue loses a message, or moves it to the dead-letter queue, as after too many attempts.
  [1, draw(['lose change', 'bury change'], { pick })],
  // From now until `source works`, no seller can be read.
  [1, draw('source fails', { trouble, retryAfter: fc.constantFrom(0, 2_000, 90_000) })],
  [2, draw('source works')],
  // From now on, this seller is too large for a Worker (`grow`), or no longer too large (`shrink`).
  [1, draw(['grow', 'shrink'], { seller })],
  // A person allows the removals that the guard has refused.
  [1, draw('allow')],
  // Another version goes live. It renders changes itself (`isQueue`) or leaves them to builders.
  [1, draw('hand over', { isQueue: fc.boolean() })],
] as const

const crash = draw('crash')

/** A happening of stories in which the Worker renders changes itself. */
export type EdgeChange = Drawn<(typeof OF_CHANGES)[number][1]>
export type EdgeHappening = Drawn<(typeof ALWAYS)[number][1] | typeof crash> | EdgeChange

export type WeightedHappening = readonly [weight: number, arbitrary: fc.Arbitrary<EdgeHappening>]

export const HAPPENINGS: readonly WeightedHappening[] = ALWAYS
/**
 * `OF_CHANGES`, and a pause just longer than the coordinator waits for further changes of a seller
 * (`REBUILD_QUIET_MS`), so that changes become due.
 */
export const CHANGES: readonly WeightedHappening[] = [
  ...OF_CHANGES,
  [6, fc.constant({ kind: 'time', ms: 2_500 })],
]
export const CRASH: WeightedHappening = [1, crash]

export interface EdgeStory {
  /** Whether the first objects are delivered before the first happening. */
  readonly isFilled: boolean
  /**
   * Whether each change goes to only one of the builders, as with the coordinator. Otherwise each builder reads the
   * whole log of changes.
   */
  readonly isShared: boolean
  /** Whether the Worker renders changes itself. Builders push as well. */
  readonly isQueued: boolean
  /** Data centres in which deleting an entry of the cache has no effect. */
  readonly deaf: readonly Center[]
  readonly happenings: readonly EdgeHappening[]
}
