/** What may happen in a story around changes that the Worker renders: people, messages, a builder and the clock. */
import fc from 'fast-check'

/** The first is on the home page. */
export const SELLERS = ['1', 'ana', 'eva', 'luz'] as const

/** How a consumer's work ends. `torn`: it puts, and dies before it tells. `lost`: it dies before the put. */
export type Luck = 'put' | 'torn' | 'lost' | 'failed' | 'held' | 'large' | 'trouble'

export type ChangeHappening =
  | { readonly kind: 'notice'; readonly sellers: readonly string[]; readonly isRepeated: boolean }
  /** Sellers change and nobody says so; the first of them had what the others have now. */
  | { readonly kind: 'move'; readonly sellers: readonly string[] }
  | { readonly kind: 'full' | 'crash' | 'release' | 'die' | 'claim' | 'report' }
  /** The alarm fires. `isTaken`: whether the queue takes the messages. */
  | { readonly kind: 'alarm'; readonly isTaken: boolean }
  /** A message is delivered: its consumer reads. `isDoubled`: it will be delivered once more. */
  | { readonly kind: 'deliver'; readonly at: number; readonly isDoubled: boolean }
  /** A consumer puts what it read, and tells. `isRepeated`: twice. */
  | { readonly kind: 'end'; readonly at: number; readonly luck: Luck; readonly isRepeated: boolean }
  /** Another version of the Worker goes live, which renders changes itself, or does not. */
  | { readonly kind: 'switch' }
  | { readonly kind: 'time'; readonly ms: number }

const sellers = fc.subarray([...SELLERS], { minLength: 1, maxLength: 2 })
const kind = <Kind extends ChangeHappening['kind']>(name: Kind): fc.Arbitrary<Kind> => fc.constant(name)
const luck = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Luck>('put') },
  { weight: 6, arbitrary: fc.constantFrom<Luck>('torn', 'lost', 'failed', 'held', 'large', 'trouble') },
)

const WEIGHTED: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<ChangeHappening>])[] = [
  [6, fc.record({ kind: kind('notice'), sellers, isRepeated: fc.boolean() })],
  [1, fc.record({ kind: kind('move'), sellers })],
  [8, fc.record({ kind: kind('alarm'), isTaken: fc.integer({ max: 6, min: 0 }).map((n) => n > 0) })],
  [8, fc.record({ kind: kind('deliver'), at: fc.nat(3), isDoubled: fc.boolean() })],
  [8, fc.record({ kind: kind('end'), at: fc.nat(3), luck, isRepeated: fc.boolean() })],
  [1, fc.record({ kind: fc.constantFrom('full', 'crash', 'release', 'die') })],
  [3, fc.record({ kind: fc.constantFrom('claim', 'report') })],
  [1, fc.record({ kind: kind('switch') })],
  [8, fc.record({ kind: kind('time'), ms: fc.constantFrom(1, 500, 2_000, 5_000, 30_000, 70_000, 700_000) })],
]

export const CHANGE_STORIES: fc.Arbitrary<readonly ChangeHappening[]> = fc.array(
  fc.oneof(...WEIGHTED.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  { maxLength: 60, size: 'max' },
)
