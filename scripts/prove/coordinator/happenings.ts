/**
 * Draws the random events of a story about the coordinator: actions of people and builders, changed documents, alarms,
 * restarts, and time.
 */
import fc from 'fast-check'
import type { Drawn } from '../draw.ts'
import { draw, drawOne } from '../draw.ts'

const SELLERS = ['ana', 'eva', 'luz', 'mia'] as const
export const BUILDERS = ['one', 'two'] as const

/**
 * How a step of a builder ends; `BuilderTwin` decides what that means for each step. In general, `torn`: the builder
 * dies during or right after the step. `failed`: the step does not succeed. `unheard`: the step takes effect, but the
 * builder does not learn that it did.
 */
export type BuilderLuck = 'good' | 'torn' | 'failed' | 'unheard'

const builder = drawOne([3, fc.constant<string>(BUILDERS[0])], [1, fc.constant<string>(BUILDERS[1])])
const sellers = fc.subarray<string>([...SELLERS], { minLength: 1, maxLength: 2 })
const luck = drawOne(
  [12, fc.constant<BuilderLuck>('good')],
  [1, fc.constant<BuilderLuck>('torn')],
  [1, fc.constant<BuilderLuck>('failed')],
  [1, fc.constant<BuilderLuck>('unheard')],
)
/** Sellers whose pages fail to render in a rebuild. */
const failing = drawOne([3, fc.constant<string[]>([])], [1, sellers])

const happening = drawOne(
  // A builder takes its next step: claim, rebuild, request permission, switch, report the switch, report the build.
  [20, draw('work', { builder, luck, failing })],
  // A builder takes all steps up to the end of its build, without a fault.
  [4, draw('build', { builder })],
  [5, draw('notice', { sellers, isRepeated: fc.boolean() })],
  // Documents change without a notice.
  [1, draw('silence', { sellers })],
  [1, draw('full')],
  [1, draw(['renew', 'die'], { builder })],
  // A builder's state of `age` saves ago is restored; the oldest state is empty.
  [1, draw('restore', { builder, age: fc.nat(6) })],
  // A person publishes the builder's current state without a build.
  [1, draw('deploy', { builder })],
  // A person puts the builder's current state live without the coordinator's permission.
  [1, draw('force', { builder })],
  [2, draw(['report force', 'hold', 'release', 'crash'])],
  [2, draw('roll back', { age: fc.nat(3), isPatient: fc.boolean() })],
  [2, draw('alarm')],
  [1, draw('dispatched', { isSent: fc.boolean(), retryAfter: fc.constantFrom(0, 60_000) })],
  [3, draw('time', { ms: fc.constantFrom(1, 500, 5_000, 60_000, 200_000, 700_000) })],
)
export type Happening = Drawn<typeof happening>

export const COORDINATOR_STORIES: fc.Arbitrary<readonly Happening[]> = fc.array(happening, {
  maxLength: 80,
  size: 'max',
})
