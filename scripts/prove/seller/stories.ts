/** Random stories of one hostile seller among honest ones, as plain values. Numbers are choices, and seeds of documents. */
import fc from 'fast-check'
import type { SourceKind } from '../site/documents.ts'
import type { DocumentChange, WriteStyle } from '../equivalence/sequence.ts'

export interface SellerStory {
  readonly source: SourceKind
  readonly photos: 'off' | 'service'
  readonly productPages: 'on' | 'off'
  /** The setting `MAX_PRODUCTS`. */
  readonly most: number
  /** Choice of her id. */
  readonly id: number
  readonly steps: readonly SellerStep[]
}

export interface SellerStep {
  readonly attacks: readonly Attack[]
  /** The changes that honest sellers make meanwhile. */
  readonly edits: readonly DocumentChange[]
  readonly style: WriteStyle
  readonly isVerify: boolean
  /** Whether the first of her pages cannot be rendered. */
  readonly isFailing: boolean
  /** Whether the site answers each call that names her with an error. */
  readonly isRefused: boolean
}

/** Kinds of products in an attack of many. */
const CROWDS = ['plain', 'words', 'free', 'copies', 'addresses', 'marks'] as const
export type Crowd = (typeof CROWDS)[number]

export type Attack =
  | { readonly kind: 'product' | 'profile'; readonly seed: number }
  | { readonly kind: 'crowd'; readonly crowd: Crowd; readonly count: number; readonly seed: number }
  /** Most of her products are deleted, or lose their prices. */
  | { readonly kind: 'delete' | 'unprice'; readonly left: number }
  /** A product of an honest seller becomes hers, or the other way round. */
  | { readonly kind: 'take' | 'give'; readonly product: number; readonly owner: number }

const seed = fc.nat(999_999)
const choice = fc.nat(999)

const attack: fc.Arbitrary<Attack> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('product' as const), seed }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('profile' as const), seed }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('crowd' as const),
      crowd: fc.constantFrom(...CROWDS),
      count: fc.integer({ min: 20, max: 240 }),
      seed,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'unprice' as const), left: fc.nat(9) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('take' as const, 'give' as const),
      product: choice,
      owner: choice,
    }),
  },
)

/** More than the default bound, all at once. */
const largeCrowd: fc.Arbitrary<Attack> = fc.record({
  kind: fc.constant('crowd' as const),
  crowd: fc.constantFrom(...CROWDS),
  count: fc.constant(5_200),
  seed,
})

const edit: fc.Arbitrary<DocumentChange> = fc.oneof(
  fc.record({
    kind: fc.constant('edit product' as const),
    product: choice,
    field: fc.constantFrom('price', 'name', 'photo', 'available', 'decant', 'keys'),
    value: choice,
  }),
  fc.record({ kind: fc.constant('profile' as const), seller: choice, value: choice }),
)

const seldom = (one: number): fc.Arbitrary<boolean> => fc.nat(one - 1).map((number) => number === one - 1)

function createStep(attacks: fc.Arbitrary<Attack>): fc.Arbitrary<SellerStep> {
  return fc.record({
    attacks: fc.array(attacks, { maxLength: 6, size: 'max' }),
    edits: fc.array(edit, { maxLength: 3 }),
    style: fc.constantFrom('update', 'replace', 'reinsert'),
    isVerify: seldom(2),
    isFailing: seldom(4),
    isRefused: seldom(4),
  })
}

const settings = {
  source: fc.constantFrom<SourceKind>('embedded', 'folder'),
  photos: fc.constantFrom('off' as const, 'service' as const),
  id: choice,
}

/** Some, one in `large`, have a seller with more products than any bound lets through. */
export function createSellerStories(large: number): fc.Arbitrary<SellerStory> {
  return fc.oneof(
    {
      weight: large - 1,
      arbitrary: fc.record<SellerStory>({
        ...settings,
        productPages: fc.constantFrom('on', 'off'),
        most: fc.constantFrom(100, 5_000),
        steps: fc.array(createStep(attack), { minLength: 1, maxLength: 4, size: 'max' }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record<SellerStory>({
        ...settings,
        productPages: fc.constant('off'),
        most: fc.constant(5_000),
        steps: fc.tuple(createStep(largeCrowd), createStep(attack)),
      }),
    },
  )
}
