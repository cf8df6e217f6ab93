/** Generates random stories for fast-check. */
import fc from 'fast-check'
import { PLAYED_SETTINGS } from '../site/played-settings.ts'
import type {
  StoryChange,
  DocumentChange,
  Part,
  StoryRun,
  Sequence,
  StoryStep,
  WorldChange,
} from './sequence.ts'

/** Max steps of a story. */
const STEPS = 8

const LOSABLE: readonly Exclude<Part, 'source'>[] = ['dist', 'snapshot', 'record', 'pictures']

const choice = fc.nat(999)

const documentChange: fc.Arbitrary<DocumentChange> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('new product'), product: choice, owner: choice }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('edit product'),
      product: choice,
      field: fc.constantFrom('price', 'name', 'photo', 'available', 'decant', 'stock', 'keys'),
      value: choice,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move product'), product: choice, owner: choice }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete product'), product: choice }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('profile'), seller: choice, value: choice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete profile'), profile: choice }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete seller'), profile: choice }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('hostile product'),
      product: choice,
      body: choice,
      owner: choice,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hostile profile'), id: choice, body: choice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('touch'), document: choice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('shuffle'), seed: choice }) },
)

const worldChange: fc.Arbitrary<WorldChange> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('setting'),
      name: fc.constantFrom(...PLAYED_SETTINGS),
      value: choice,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('builder code'),
      group: fc.constantFrom('intake', 'pageData', 'rendering'),
      value: choice,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('code'), variant: choice }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('public folder'), variant: choice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('runtime'), value: choice }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('lose'),
      parts: fc.subarray([...LOSABLE], { minLength: 1 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('restore'),
      parts: fc.subarray([...LOSABLE, 'source' as const], { minLength: 1 }),
      backup: choice,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('damage file'),
      file: choice,
      how: fc.constantFrom('truncate', 'edit', 'delete', 'add'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('damage marker'),
      how: fc.constantFrom('truncate', 'edit', 'delete'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('damage state'),
      part: fc.constantFrom('snapshot', 'record'),
      how: fc.constantFrom('overwrite', 'truncate'),
      place: choice,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('break source') }) },
)

const change: fc.Arbitrary<StoryChange> = fc.oneof(
  { weight: 3, arbitrary: documentChange },
  { weight: 1, arbitrary: worldChange },
)

const seldom = (one: number): fc.Arbitrary<boolean> => fc.nat(one - 1).map((number) => number === one - 1)

const run: fc.Arbitrary<StoryRun> = fc.record({
  sellers: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(choice, { minLength: 1, maxLength: 2 }) },
  ),
  isFull: seldom(10),
  isVerify: seldom(5),
  isShrinkAllowed: seldom(4),
  threads: fc.integer({ min: 1, max: 3 }),
})

const step: fc.Arbitrary<StoryStep> = fc.record({
  changes: fc.array(change, { maxLength: 4 }),
  style: fc.constantFrom('update', 'replace', 'reinsert'),
  run,
})

export const SEQUENCES: fc.Arbitrary<Sequence> = fc.record({
  source: fc.constantFrom('embedded', 'folder'),
  isLarge: seldom(30),
  photos: fc.constantFrom('off', 'files', 'service'),
  profiles: fc.integer({ min: 1, max: 5 }),
  owners: fc.array(choice, { maxLength: 8 }),
  steps: fc.array(step, { minLength: 1, maxLength: STEPS, size: 'max' }),
})
