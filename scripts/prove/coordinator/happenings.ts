/** What may happen in a story around the coordinator: people, documents, builders, the hosting and the clock. */
import fc from 'fast-check'

const SELLERS = ['ana', 'eva', 'luz', 'mia'] as const
export const BUILDERS = ['one', 'two'] as const

/**
 * How a step of a builder ends. `torn`: the builder dies in the middle. `failed`: it has no effect. `unheard`: it has
 * its effect, and the builder learns nothing of it.
 */
export type Luck = 'good' | 'torn' | 'failed' | 'unheard'

export type Happening =
  | { readonly kind: 'notice'; readonly sellers: readonly string[]; readonly isRepeated: boolean }
  /** Documents change, and no notice says so. */
  | { readonly kind: 'silence'; readonly sellers: readonly string[] }
  | { readonly kind: 'full' }
  /** The next step of a builder: claim, rebuild, ask for leave, switch, report the switch, report the build. */
  | {
      readonly kind: 'work'
      readonly builder: string
      readonly luck: Luck
      /** Sellers whose page throws in a rebuild. */
      readonly failing: readonly string[]
    }
  /** All steps up to the end of the build, without a fault. */
  | { readonly kind: 'build'; readonly builder: string }
  | { readonly kind: 'renew' | 'die'; readonly builder: string }
  /** The state of an earlier step is put back; the oldest one is empty. */
  | { readonly kind: 'restore'; readonly builder: string; readonly age: number }
  /** Somebody publishes the state as it is, without a build. */
  | { readonly kind: 'deploy'; readonly builder: string }
  /** Somebody puts the state live without leave. */
  | { readonly kind: 'force'; readonly builder: string }
  | { readonly kind: 'report force' | 'hold' | 'release' | 'alarm' | 'crash' }
  | { readonly kind: 'roll back'; readonly age: number; readonly isPatient: boolean }
  | { readonly kind: 'dispatched'; readonly isSent: boolean; readonly retryAfter: number }
  | { readonly kind: 'time'; readonly ms: number }

const builder = fc.oneof(
  { weight: 3, arbitrary: fc.constant(BUILDERS[0]) },
  { weight: 1, arbitrary: fc.constant(BUILDERS[1]) },
)
const sellers = fc.subarray([...SELLERS], { minLength: 1, maxLength: 2 })
const luck = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Luck>('good') },
  { weight: 1, arbitrary: fc.constant<Luck>('torn') },
  { weight: 1, arbitrary: fc.constant<Luck>('failed') },
  { weight: 1, arbitrary: fc.constant<Luck>('unheard') },
)
const failing = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.subarray([...SELLERS], { minLength: 1, maxLength: 2 }) },
)

const kind = <Kind extends Happening['kind']>(name: Kind): fc.Arbitrary<Kind> => fc.constant(name)

const WEIGHTED: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Happening>])[] = [
  [20, fc.record({ kind: kind('work'), builder, luck, failing })],
  [4, fc.record({ kind: kind('build'), builder })],
  [5, fc.record({ kind: kind('notice'), sellers, isRepeated: fc.boolean() })],
  [1, fc.record({ kind: kind('silence'), sellers })],
  [1, fc.record({ kind: kind('full') })],
  [1, fc.record({ kind: fc.constantFrom('renew', 'die'), builder })],
  [1, fc.record({ kind: kind('restore'), builder, age: fc.nat(6) })],
  [1, fc.record({ kind: kind('deploy'), builder })],
  [1, fc.record({ kind: kind('force'), builder })],
  [2, fc.record({ kind: fc.constantFrom('report force', 'hold', 'release', 'crash') })],
  [2, fc.record({ kind: kind('roll back'), age: fc.nat(3), isPatient: fc.boolean() })],
  [2, fc.record({ kind: kind('alarm') })],
  [1, fc.record({ kind: kind('dispatched'), isSent: fc.boolean(), retryAfter: fc.constantFrom(0, 60_000) })],
  [3, fc.record({ kind: kind('time'), ms: fc.constantFrom(1, 500, 5_000, 60_000, 200_000, 700_000) })],
]

export const STORIES: fc.Arbitrary<readonly Happening[]> = fc.array(
  fc.oneof(...WEIGHTED.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  { maxLength: 80, size: 'max' },
)
