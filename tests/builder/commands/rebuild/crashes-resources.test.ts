/** Always a verdict, also without disk space, file handles or memory. */
import { beforeEach, describe, expect, it } from 'vitest'
import { findFaults, MANY, NEW, useCrashSite } from '../../../support/rebuild/faults/crash-site.ts'
import { mountSmallDisk } from '../../../support/rebuild/faults/small-disk.ts'

const { path, prepare, rebuild, runAgain } = useCrashSite()

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
    expect(run.code === 0 ? [] : findFaults(run, /ulimit -n 4096/)).toEqual([])
    expect(await runAgain(documents)).toEqual([])
  })
})
