/** Generates random stories for fast-check. */
import fc from 'fast-check'
import type { PhotoMode } from './proof-photos.ts'
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

type Losable = Exclude<Part, 'source'>
const LOSABLE: readonly Losable[] = ['dist', 'snapshot', 'record']
const ALL_LOSABLE: readonly Losable[] = [...LOSABLE, 'pictures']

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

const photoSetting: fc.Arbitrary<WorldChange> = fc.record({
  kind: fc.constant('photo setting'),
  mode: fc.constantFrom('files', 'off'),
})

// Without photos, neither their setting nor their store changes.
const createWorldChange = (photos: PhotoMode): fc.Arbitrary<WorldChange> => {
  const hasPhotos = photos === 'files'
  const losable = hasPhotos ? ALL_LOSABLE : LOSABLE
  return fc.oneof(
    ...(hasPhotos ? [{ weight: 1, arbitrary: photoSetting }] : []),
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('site name'), value: choice }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('code'), variant: choice }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('public folder'), variant: choice }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('runtime'), value: choice }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('lose'),
        parts: fc.subarray([...losable], { minLength: 1 }),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('restore'),
        parts: fc.subarray([...losable, 'source' as const], { minLength: 1 }),
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
}

const createChange = (photos: PhotoMode): fc.Arbitrary<StoryChange> =>
  fc.oneof({ weight: 3, arbitrary: documentChange }, { weight: 1, arbitrary: createWorldChange(photos) })

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

const createStep = (photos: PhotoMode): fc.Arbitrary<StoryStep> =>
  fc.record({
    changes: fc.array(createChange(photos), { maxLength: 4 }),
    style: fc.constantFrom('update', 'replace', 'reinsert'),
    run,
  })

export const createSequences = (photos: PhotoMode): fc.Arbitrary<Sequence> =>
  fc.record({
    source: fc.constantFrom('embedded', 'folder'),
    isLarge: seldom(30),
    profiles: fc.integer({ min: 1, max: 5 }),
    owners: fc.array(choice, { maxLength: 8 }),
    steps: fc.array(createStep(photos), { minLength: 1, maxLength: STEPS, size: 'max' }),
  })
