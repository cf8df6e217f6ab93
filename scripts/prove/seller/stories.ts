/**
 * Draws random stories of one hostile seller among honest ones, as plain values. A `choice` is an index into a list of
 * any length (modulo its length). A `seed` determines the random documents of an attack.
 */
import fc from 'fast-check'
import type { Drawn } from '../draw.ts'
import { draw, drawOne, seldom } from '../draw.ts'
import type { WriteStyle } from '../equivalence/sequence.ts'
import type { SourceKind } from '../site/documents.ts'

/** Kinds of products in an attack with many products. */
const CROWDS = ['plain', 'words', 'free', 'copies', 'addresses', 'marks'] as const
export type Crowd = (typeof CROWDS)[number]

const seed = fc.nat(999_999)
const choice = fc.nat(999)

const crowd = (count: fc.Arbitrary<number>) =>
  draw('crowd', { crowd: fc.constantFrom(...CROWDS), count, seed })

const attack = drawOne(
  [6, draw('product', { seed })],
  [2, draw('profile', { seed })],
  [4, crowd(fc.integer({ min: 20, max: 240 }))],
  // All except `left` products of the hostile seller are deleted, or lose their prices.
  [3, draw(['delete', 'unprice'], { left: fc.nat(9) })],
  // A product of an honest seller moves to the hostile seller, or the other way round.
  [2, draw(['take', 'give'], { product: choice, owner: choice })],
)
export type Attack = Drawn<typeof attack>

/** One attack with more products than the default limit permits. */
const largeCrowd = crowd(fc.constant(5_200))

/** A change by an honest seller in the same step as the attacks. */
const edit = fc.oneof(
  draw('edit product', {
    product: choice,
    field: fc.constantFrom(
      'price' as const,
      'name' as const,
      'photo' as const,
      'available' as const,
      'decant' as const,
      'keys' as const,
    ),
    value: choice,
  }),
  draw('profile', { seller: choice, value: choice }),
)

const drawStep = (attacks: fc.Arbitrary<Attack>) =>
  fc.record({
    attacks: fc.array(attacks, { maxLength: 6, size: 'max' }),
    edits: fc.array(edit, { maxLength: 3 }),
    style: fc.constantFrom<WriteStyle>('update', 'replace', 'reinsert'),
    isVerify: seldom(2),
    /** Whether the first page of the hostile seller cannot be rendered. */
    isFailing: seldom(4),
    /** Whether the index answers each call that contains the hostile seller with an error. */
    isRefused: seldom(4),
  })
export type SellerStep = Drawn<ReturnType<typeof drawStep>>

const settings = {
  source: fc.constantFrom<SourceKind>('embedded', 'folder'),
  photos: fc.constantFrom('off' as const, 'service' as const),
  /** Index that selects the hostile seller's id. */
  id: choice,
}

const usual = fc.record({
  ...settings,
  productPages: fc.constantFrom('on' as const, 'off' as const),
  /** The setting `MAX_PRODUCTS`. */
  most: fc.constantFrom(100, 5_000),
  steps: fc.array(drawStep(attack), { minLength: 1, maxLength: 4, size: 'max' }),
})
export type SellerStory = Drawn<typeof usual>

/** On average, one of `large` stories has a hostile seller with more products than the default limit permits. */
export function createSellerStories(large: number): fc.Arbitrary<SellerStory> {
  const many = fc.record<SellerStory>({
    ...settings,
    productPages: fc.constant('off'),
    most: fc.constant(5_000),
    steps: fc.tuple(drawStep(largeCrowd), drawStep(attack)),
  })
  return drawOne([large - 1, usual], [1, many])
}
