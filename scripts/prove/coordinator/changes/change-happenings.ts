/** The events of a story around changes that the Worker renders: people, messages, a builder and the clock. */
import fc from 'fast-check'
import type { Drawn } from '../../draw.ts'
import { draw, drawOne } from '../../draw.ts'

/** The first is on the home page. */
export const CHANGED_SELLERS = ['1', 'ana', 'eva', 'luz'] as const

/** How a consumer's work ends. `torn`: it puts, and dies before its report. `lost`: it dies before the put. */
export type ConsumerLuck = 'put' | 'torn' | 'lost' | 'failed' | 'held' | 'large' | 'trouble'

const sellers = fc.subarray<string>([...CHANGED_SELLERS], { minLength: 1, maxLength: 2 })
const luck = drawOne(
  [8, fc.constant<ConsumerLuck>('put')],
  [6, fc.constantFrom<ConsumerLuck>('torn', 'lost', 'failed', 'held', 'large', 'trouble')],
)

const happening = drawOne(
  [6, draw('notice', { sellers, isRepeated: fc.boolean() })],
  // Sellers change without a notice; the first of them had what the others have now.
  [1, draw('move', { sellers })],
  // The alarm fires. `isTaken`: whether the queue takes the messages.
  [8, draw('alarm', { isTaken: fc.integer({ max: 6, min: 0 }).map((n) => n > 0) })],
  // A message is delivered: its consumer reads. `isDoubled`: it will be delivered once more.
  [8, draw('deliver', { at: fc.nat(3), isDoubled: fc.boolean() })],
  // A consumer puts the data it read, and reports. `isRepeated`: twice.
  [8, draw('end', { at: fc.nat(3), luck, isRepeated: fc.boolean() })],
  [1, draw(['full', 'crash', 'release', 'die'])],
  [3, draw(['claim', 'report'])],
  // Another version of the Worker goes live, which renders changes itself, or does not.
  [1, draw('switch')],
  [8, draw('time', { ms: fc.constantFrom(1, 500, 2_000, 5_000, 30_000, 70_000, 700_000) })],
)
export type ChangeHappening = Drawn<typeof happening>

export const CHANGE_STORIES: fc.Arbitrary<readonly ChangeHappening[]> = fc.array(happening, {
  maxLength: 60,
  size: 'max',
})
