/** Files are read alike in this thread and in real worker threads, also where these fail. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { findWorker } from '../../../../src/builder/commands/rebuild/find-worker.ts'
import type { FileWorkers, ThreadedReader } from '../../../../src/builder/rebuild/check/file-reader.ts'
import {
  createFileReader,
  createThreadedReader,
  visitBatches,
} from '../../../../src/builder/rebuild/check/file-reader.ts'
import { createWorkers } from '../../../../src/builder/rebuild/render/task-workers.ts'
import { hashBytes } from '../../../../src/builder/files/file-hashes.ts'
import { createOutput } from '../../../../src/builder/state/output/output.ts'
import { LONGEST_TIME } from '../../../support/run/longest-time.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createWorkerModule } from '../../../support/run/worker-module.ts'

const path = useTemporaryFolder()

const PAGE = '<a href="/catalogo/a">x</a><img src="/b.svg">'
const MODULE = "import './d.js'"
const SOUND = { path: 'a.html', digest: hashBytes(PAGE) }
const FILES = [
  SOUND,
  { ...SOUND, path: 'lost.html' },
  { ...SOUND, path: 'link.html' },
  { path: 'c.js', digest: hashBytes(MODULE) },
  { path: 'a.html', digest: hashBytes('another') },
  { path: 'd.svg', digest: hashBytes(PAGE) },
]

let started: FileWorkers[] = []
let reader: ThreadedReader | undefined
afterEach(async () => {
  await reader?.close()
  reader = undefined
  started = []
})

/** Returns a reader whose next call needs threads. */
async function open(module: string): Promise<ThreadedReader> {
  const output = createOutput(path('dist'))
  output.write('a.html', PAGE)
  output.write('c.js', MODULE)
  output.write('d.svg', PAGE)
  symlinkSync(path('dist/a.html'), path('dist/link.html'))
  const start = async (): Promise<FileWorkers> => {
    const workers: FileWorkers = createWorkers({
      module,
      data: path('dist'),
      threads: 2,
      patience: LONGEST_TIME,
    })
    started.push(workers)
    return workers
  }
  reader = createThreadedReader(createFileReader(output), { threads: 2, start })
  await reader.check(
    Array.from({ length: 999 }, () => SOUND),
    false,
  )
  expect(started).toHaveLength(0)
  return reader
}

const REFERENCES = [['/catalogo/a', '/b.svg'], null, null, ['/d.js'], null, []]

it('threads find what this thread finds, and follow no link', async () => {
  const threaded = await open(findWorker('file-worker'))
  const here = createFileReader(createOutput(path('dist')))
  for (const { check } of [here, threaded]) {
    expect(await check(FILES, true)).toEqual(REFERENCES)
    expect(await check(FILES, false)).toEqual(REFERENCES.map((one) => one && []))
  }
  expect(started).toHaveLength(1)
})

describe.each([
  ['cannot start', "throw new Error('broken on purpose')"],
  ['fail', createWorkerModule("serveTasks(() => { throw new Error('broken on purpose') })")],
  ['end', createWorkerModule('serveTasks(() => process.exit(1))')],
])('threads that %s', (_, code) => {
  it('leave the files to this thread', async () => {
    writeFileSync(path('worker.mjs'), code)
    const threaded = await open(path('worker.mjs'))
    const [one, other] = await Promise.all([threaded.check(FILES, true), threaded.check(FILES, true)])
    expect([one, other]).toEqual([REFERENCES, REFERENCES])
  })
})

it.each([
  ['with one core', 1],
  ['if threads cannot be created', 2],
])('reads in this thread %s', async (_, threads) => {
  const output = createOutput(path('dist'))
  output.write('a.html', PAGE)
  const calls: number[] = []
  const start = async (): Promise<FileWorkers> => {
    calls.push(threads)
    throw new Error('broken on purpose')
  }
  const alone = createThreadedReader(createFileReader(output), { threads, start })
  const files = Array.from({ length: 1_000 }, () => SOUND)
  expect(await alone.check(files, true)).toEqual(files.map(() => REFERENCES[0]))
  await expect(alone.close()).resolves.toBeUndefined()
  expect(calls).toHaveLength(threads - 1)
})

it('throws the error of a visit once the other visits have ended', async () => {
  let running = 0
  const failed = Promise.withResolvers<void>()
  const visit = async ([first = 0]: readonly number[]): Promise<void> => {
    running += 1
    if (first > 0) await failed.promise
    await turn()
    running -= 1
    if (first > 0) return
    failed.resolve()
    throw new Error('broken on purpose')
  }
  const items = Array.from({ length: 200 }, (__, index) => index)
  await expect(visitBatches(items, 3, visit)).rejects.toThrow('broken on purpose')
  expect(running).toBe(0)
})

it('visits each item once, some batches at a time', async () => {
  const items = Array.from({ length: 1_000 }, (_, index) => index)
  const seen: number[] = []
  let [now, most] = [0, 0]
  await visitBatches(items, 3, async (batch) => {
    now += 1
    most = Math.max(most, now)
    await turn()
    seen.push(...batch)
    now -= 1
  })
  expect(seen.sort((a, b) => a - b)).toEqual(items)
  expect(most).toBe(3)
})
