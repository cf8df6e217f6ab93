/** Mistakes in the order of writing, recording and removing, and in what is retained. */
import type { Mutation } from '../mutation.ts'

const WRITE_PAGES = 'src/builder/rebuild/write-pages.ts'
const RECORD_PAGES = 'record.write([...pictureRows, ...complete.map(({ row }) => row)], [], shows)'
const MARK_PAGES = 'record.markUnsure([...pictureRows, ...differing.map(({ row }) => row)], shows)'
const CRASH = 'tests/builder/rebuild/crash.test.ts'
const STEPS = 'tests/builder/rebuild/rebuild-steps.test.ts'

export const WRITE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'skip the rename: write in place',
    file: 'src/builder/state/output/output.ts',
    text: 'writeWhole(makePartial(name), content)\n      place(name, path)',
    broken: 'cage.makeFolderOf(path)\n      writeWhole(join(folder, path), content)',
    catchers: ['crash', 'tests/builder/state/output/output.test.ts'],
  },
  {
    name: 'record before writing',
    file: WRITE_PAGES,
    text: MARK_PAGES,
    broken: RECORD_PAGES,
    catchers: ['crash', 'faults', CRASH],
  },
  {
    name: 'mark no page unsure before it is written',
    file: WRITE_PAGES,
    text: MARK_PAGES,
    broken: '',
    catchers: [CRASH],
  },
  {
    name: 'forget a removal',
    file: WRITE_PAGES,
    text: 'output.remove(remove.map(({ path }) => path))',
    broken: '',
    catchers: ['equivalence', 'tests/builder/rebuild/rebuild.test.ts'],
  },
  {
    name: 'mark no page unsure before it is removed',
    file: WRITE_PAGES,
    text: 'record.markUnsure(remove.map((page) => createRow(page, generation)))',
    broken: '',
    catchers: [CRASH],
  },
  {
    name: 'settle sellers before the file of the sitemap that lists them',
    file: WRITE_PAGES,
    text: RECORD_PAGES,
    broken: `${RECORD_PAGES}\n  site.snapshot.forgetChanged(complete.flatMap(({ row }) => row.seller ?? []))`,
    catchers: [CRASH],
  },
  {
    name: 'settle a seller whose page failed',
    file: WRITE_PAGES,
    text: 'failed.has(seller) ||',
    broken: '',
    catchers: [STEPS],
  },
  {
    name: 'settle a seller whose file of the sitemap failed',
    file: WRITE_PAGES,
    text: '|| failed.has(formatBucketFile(snapshot.findBucket(seller)))',
    broken: '',
    catchers: [STEPS],
  },
  {
    name: 'trust the digest of an unsure file',
    file: 'src/builder/state/record/record-files.ts',
    text: 'WHERE path = ? AND unsure = 0 AND kind NOT IN',
    broken: 'WHERE path = ? AND kind NOT IN',
    catchers: ['tests/builder/state/record/record.test.ts'],
  },
  {
    name: 'keep hashed files that never stood there',
    file: 'src/builder/rebuild/write-static.ts',
    text: ' && record.findDigest(path) !== null',
    broken: ' && record.hasFile(path)',
    catchers: ['tests/builder/rebuild/retained.test.ts'],
  },
  {
    name: 'refuse the inline code of pages of earlier renderers',
    file: 'src/builder/rebuild/edge-headers.ts',
    text: 'formatHeaders(assets, present, earlier)',
    broken: 'formatHeaders(assets, present, earlier.slice(earlier.length))',
    catchers: [STEPS],
  },
  {
    name: 'allow the inline code of earlier renderers for ever',
    file: 'src/builder/rebuild/rebuild.ts',
    text: '  writeStaticFiles([readHeaders(record, site.generation, files)], site)\n',
    broken: '',
    catchers: [STEPS],
  },
  {
    name: 'retain no hashed file of earlier code',
    file: 'src/builder/rebuild/write-static.ts',
    text: 'return path.startsWith(HASHED) &&',
    broken: 'return path.startsWith(HASHED) && path === HASHED &&',
    catchers: ['tests/builder/rebuild/retained.test.ts'],
  },
  {
    name: 'retain hashed files for ever',
    file: 'src/builder/rebuild/write-static.ts',
    text: 'row.generation + RETAINED_FOR <= generation',
    broken: 'row.generation + RETAINED_FOR < 0',
    catchers: [STEPS],
  },
  {
    name: 'retain a picture that no page shows for ever',
    file: 'src/builder/state/record/shown-pictures.ts',
    text: '(generation + ${RETAINED_FOR} <= ? OR unsure = 1)',
    broken: '(generation + ${RETAINED_FOR} <= ? - 1000 OR unsure = 1)',
    catchers: ['tests/builder/pictures/rebuild-photos.test.ts'],
  },
  {
    name: 'remove a picture as soon as no page shows it',
    file: 'src/builder/state/record/shown-pictures.ts',
    text: '(generation + ${RETAINED_FOR} <= ? OR unsure = 1)',
    broken: '(generation <= ? OR unsure = 1)',
    catchers: ['tests/builder/pictures/rebuild-photos.test.ts'],
  },
]
