/**
 * Draws random stories as plain values: in each step, changes of documents, code or state, and the options of the
 * rebuild that follows. Numbers are indexes, modulo the number of choices.
 */
import fc from 'fast-check'
import type { Drawn } from '../draw.ts'
import { draw, drawOne, seldom } from '../draw.ts'
import type { SourceKind } from '../site/documents.ts'
import { PLAYED_SETTINGS } from '../site/played-settings.ts'
import type { CodeGroup } from '../site/story-code.ts'

/** Max steps of a story. */
const STEPS = 8

export type StatePart = 'snapshot' | 'record' | 'pictures'
export type SequencePart = 'dist' | StatePart | 'source'
export type ProductField = 'price' | 'name' | 'photo' | 'available' | 'decant' | 'stock' | 'keys'

const LOSABLE: readonly Exclude<SequencePart, 'source'>[] = ['dist', 'snapshot', 'record', 'pictures']

const choice = fc.nat(999)

const documentChange = drawOne(
  [4, draw('new product', { product: choice, owner: choice })],
  [
    5,
    draw('edit product', {
      product: choice,
      field: fc.constantFrom<ProductField>('price', 'name', 'photo', 'available', 'decant', 'stock', 'keys'),
      value: choice,
    }),
  ],
  [4, draw('move product', { product: choice, owner: choice })],
  [2, draw('delete product', { product: choice })],
  [3, draw('profile', { seller: choice, value: choice })],
  [1, draw('delete profile', { profile: choice })],
  [2, draw('delete seller', { profile: choice })],
  [4, draw('hostile product', { product: choice, body: choice, owner: choice })],
  [1, draw('hostile profile', { id: choice, body: choice })],
  [1, draw('touch', { document: choice })],
  [1, draw('shuffle', { seed: choice })],
)
export type DrawnChange = Drawn<typeof documentChange>

const worldChange = drawOne(
  [5, draw('setting', { name: fc.constantFrom(...PLAYED_SETTINGS), value: choice })],
  [
    3,
    draw('builder code', {
      group: fc.constantFrom<CodeGroup>('intake', 'pageData', 'rendering'),
      value: choice,
    }),
  ],
  [4, draw('code', { variant: choice })],
  [2, draw('public folder', { variant: choice })],
  [1, draw('runtime', { value: choice })],
  [3, draw('lose', { parts: fc.subarray([...LOSABLE], { minLength: 1 }) })],
  [
    6,
    draw('restore', {
      parts: fc.subarray<SequencePart>([...LOSABLE, 'source'], { minLength: 1 }),
      backup: choice,
    }),
  ],
  [
    2,
    draw('damage file', {
      file: choice,
      how: fc.constantFrom('truncate' as const, 'edit' as const, 'delete' as const, 'add' as const),
    }),
  ],
  [
    1,
    draw('damage marker', {
      how: fc.constantFrom('truncate' as const, 'edit' as const, 'delete' as const),
    }),
  ],
  [
    2,
    draw('damage state', {
      part: fc.constantFrom('snapshot' as const, 'record' as const),
      how: fc.constantFrom('overwrite' as const, 'truncate' as const),
      place: choice,
    }),
  ],
  [1, draw('break source')],
)
export type WorldChange = Drawn<typeof worldChange>

export type StoryChange = DrawnChange | WorldChange

const run = fc.record({
  sellers: drawOne([3, fc.constant<number[]>([])], [1, fc.array(choice, { minLength: 1, maxLength: 2 })]),
  isFull: seldom(10),
  isVerify: seldom(5),
  isShrinkAllowed: seldom(4),
  /** Size of the render pool. */
  threads: fc.integer({ min: 1, max: 3 }),
})
export type StoryRun = Drawn<typeof run>

const step = fc.record({
  changes: fc.array(drawOne([3, documentChange], [1, worldChange]), { maxLength: 4 }),
  /**
   * How a changed row is written to an embedded database: with UPDATE, with INSERT OR REPLACE, or with DELETE and
   * INSERT.
   */
  style: fc.constantFrom('update' as const, 'replace' as const, 'reinsert' as const),
  run,
})
export type StoryStep = Drawn<typeof step>
export type WriteStyle = StoryStep['style']

export const SEQUENCES = fc.record({
  source: fc.constantFrom<SourceKind>('embedded', 'folder'),
  /** Whether there are so many sellers that a rebuild uses the render pool. */
  isLarge: seldom(30),
  /** The setting `PHOTOS` at the beginning. */
  photos: fc.constantFrom('off' as const, 'files' as const, 'service' as const),
  /**
   * `profiles`: number of profiles at the beginning. `owners`: for each product at the beginning, the index of its
   * owner.
   */
  profiles: fc.integer({ min: 1, max: 5 }),
  owners: fc.array(choice, { maxLength: 8 }),
  steps: fc.array(step, { minLength: 1, maxLength: STEPS, size: 'max' }),
})
export type Sequence = Drawn<typeof SEQUENCES>
