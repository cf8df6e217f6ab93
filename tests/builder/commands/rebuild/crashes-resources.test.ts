/** Always a verdict, also without disk space, file handles or memory. */
import { beforeEach, describe, expect, it, afterAll, beforeAll } from 'vitest'
import {
  findFaults,
  MANY,
  NEW,
  useCrashSite,
  readReport,
} from '../../../support/rebuild/faults/crash-site.ts'
import { mountSmallDisk } from '../../../support/rebuild/faults/small-disk.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CrashRun } from '../../../support/rebuild/faults/crash-site.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { ROOT } from '../../../../src/builder/files/project-folder.ts'
import type { RawHost } from '../../pictures/raw-host.ts'
import { RAW_WAYS, startRawHost } from '../../pictures/raw-host.ts'

const { project, path, prepare, rebuild, runAgain } = useCrashSite()

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
      expect(findFaults(await rebuild(), /free some space/i)).toEqual([])
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

let host: RawHost
beforeAll(async () => {
  host = await startRawHost()
})
afterAll(() => host.close())

/** Tests of the module cover the other ways; only a process shows that it does not end early. */
const WAYS = ['/switches', '/hangs-up']

const run = (command: 'rebuild' | 'photos'): Promise<CrashRun> => {
  // With this setting, the launcher runs the command in its own process, with the preload.
  const env = { PHOTOS: 'files', PHOTO_HOSTS: host.origin, MALLOC_ARENA_MAX: '2' }
  const photos = ['photos', '--state', path('state'), '--all', '--json']
  // A rebuild would not wait for the photo of a busy machine.
  const preload = join(ROOT, 'tests/support/rebuild/faults/patient.ts')
  return rebuild({ env, preload, ...(command === 'photos' && { project, args: photos }) })
}

it.each(WAYS)('a photo host with %s stops neither rebuild nor photos', async (way) => {
  const photo = host.origin + way
  writeFolder(path('source'), [user('ana'), product('uno', 'ana', { photo })])
  for (const command of ['rebuild', 'photos', 'rebuild'] as const) {
    const { code, stdout, stderr } = await run(command)
    expect(code, stderr).toBe(0)
    expect(readReport({ stdout })).toMatchObject({ exit: 0 })
    expect(stderr).toMatch(
      command === 'photos' ? (RAW_WAYS[way]?.reason ?? /never/) : /original address|Nothing to do/,
    )
    expect(readFileSync(path('dist/catalogo/ana.html'), 'utf8')).toContain(`src="${photo}"`)
  }
})
