/** Always a verdict, also without disk space, file handles or memory. */
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readReport } from '../../../support/rebuild/faults/crash-run.ts'
import { findFaults, MANY, NEW, useCrashSite } from '../../../support/rebuild/faults/crash-site.ts'
import { product } from '../../../support/rebuild/documents.ts'
import { mountSmallDisk } from '../../../support/rebuild/faults/small-disk.ts'

const { path, prepare, rebuild, runAgain } = useCrashSite()

/** Rendering their pages crashes the worker. */
const POISONED = [
  product('p0', 's0', { name: 'poison-memory' }),
  product('p1', 's1', { name: 'poison-uncaught' }),
  ...MANY.slice(2),
]

beforeEach(() => prepare(NEW))

describe('a disk that is full', () => {
  it.for([
    ['of the state', () => path('state'), '340k'],
    ['of the output folder', () => path('dist'), '100k'],
  ] as const)('%s: the run ends with advice, and the next one is right', async ([, find, size], { skip }) => {
    await prepare(MANY)
    const disk = mountSmallDisk(find(), size)
    if (disk === null) return skip('this user may not mount a small disk')
    try {
      expect(findFaults(await rebuild(), /disk is full: free some space/i)).toEqual([])
      disk.grow()
      expect(await runAgain(MANY)).toEqual([])
    } finally {
      disk.remove()
    }
  })
})

describe('few file handles', () => {
  it.each([
    [26, NEW],
    [40, MANY],
    [44, MANY],
  ])('%i are enough, or the run says that they are too few', async (handles, documents) => {
    await prepare(documents)
    const run = await rebuild({ line: `ulimit -n ${handles}; exec "$@"` })
    // Handles may last for the run, for a part of its pages, or not even for its start.
    const isRight = run.code === 0 || (run.code === 6 && run.stderr.includes('ulimit -n 4096'))
    expect(isRight ? [] : findFaults(run, /ulimit -n 4096/)).toEqual([])
    expect(await runAgain(documents)).toEqual([])
  })
})

describe('render workers', () => {
  it('that run out of memory or crash fail one page only', async () => {
    await prepare(POISONED)
    const run = await rebuild({
      preload: join(import.meta.dirname, '../../../support/rebuild/faults/poison.ts'),
    })
    expect(run, run.stderr).toMatchObject({ code: 6 })
    expect(readReport(run), run.stderr).toMatchObject({
      exit: 6,
      pages: { rendered: 218, failed: 2 },
      error: null,
    })
    expect(run.stderr).toMatch(/s0\.html: .*memory/)
    expect(run.stderr).toMatch(/s1\.html: poisoned on purpose/)
    expect(await runAgain(POISONED)).toEqual([])
  })
})
