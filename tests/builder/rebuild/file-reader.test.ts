/** Files are read alike in this thread and in real worker threads, also where these fail. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { findWorker } from '../../../src/builder/commands/rebuild/find-worker.ts'
import type { FileWorkers, ThreadedReader } from '../../../src/builder/rebuild/file-reader.ts'
import {
  createFileReader,
  createThreadedReader,
  visitBatches,
} from '../../../src/builder/rebuild/file-reader.ts'
import { createWorkers } from '../../../src/builder/rebuild/task-workers.ts'
import { hashBytes } from '../../../src/builder/state/manifest.ts'
import { createOutput } from '../../../src/builder/state/output/output.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()

const PAGE = '<a href="/catalogo/a">x</a><img src="/b.svg">'
const PATHS = ['a.html', 'lost.html', 'link.html', 'c.js', 'a.html']

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
  output.write('c.js', "import './d.js'")
  symlinkSync(path('dist/a.html'), path('dist/link.html'))
  const start = async (): Promise<FileWorkers> => {
    const workers: FileWorkers = createWorkers({ module, data: path('dist'), threads: 2, patience: 1_000 })
    started.push(workers)
    return workers
  }
  reader = createThreadedReader(createFileReader(output), { count: 2, start })
  await reader.readDigests(Array.from({ length: 999 }, () => 'a.html'))
  expect(started).toHaveLength(0)
  return reader
}

const DIGESTS = [hashBytes(PAGE), null, null, hashBytes("import './d.js'"), hashBytes(PAGE)]
const IN_PAGE = ['/catalogo/a', '/b.svg']
const REFERENCES = [IN_PAGE, [], [], ['/d.js'], IN_PAGE]

it('threads find what this thread finds, and follow no link', async () => {
  const threaded = await open(findWorker('file-worker'))
  const here = createFileReader(createOutput(path('dist')))
  for (const { readDigests, readReferences } of [here, threaded]) {
    expect(await readDigests(PATHS)).toEqual(DIGESTS)
    expect(await readReferences(PATHS)).toEqual(REFERENCES)
  }
  expect(started).toHaveLength(1)
})

describe.each([
  ['cannot start', "throw new Error('broken on purpose')"],
  ['fail', "export default () => { throw new Error('broken on purpose') }"],
  ['end', 'export default () => process.exit(1)'],
])('threads that %s', (_, code) => {
  it('leave the files to this thread', async () => {
    writeFileSync(path('worker.mjs'), code)
    const threaded = await open(path('worker.mjs'))
    const [digests, references] = await Promise.all([
      threaded.readDigests(PATHS),
      threaded.readReferences(PATHS),
    ])
    expect([digests, references]).toEqual([DIGESTS, REFERENCES])
  })
})

it.each([
  ['with one core', 1],
  ['if threads cannot be created', 2],
])('reads in this thread %s', async (_, count) => {
  const output = createOutput(path('dist'))
  output.write('a.html', PAGE)
  const calls: number[] = []
  const start = async (): Promise<FileWorkers> => {
    calls.push(count)
    throw new Error('broken on purpose')
  }
  const alone = createThreadedReader(createFileReader(output), { count, start })
  const paths = Array.from({ length: 1_000 }, () => 'a.html')
  expect(new Set(await alone.readDigests(paths))).toEqual(new Set([hashBytes(PAGE)]))
  await expect(alone.close()).resolves.toBeUndefined()
  expect(calls).toHaveLength(count - 1)
})

it('throws the error of a visit once the other visits have ended', async () => {
  let running = 0
  const visit = async ([first = 0]: readonly number[]): Promise<void> => {
    running += 1
    await new Promise((resolve) => setTimeout(resolve, first === 0 ? 1 : 20))
    running -= 1
    if (first === 0) throw new Error('broken on purpose')
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
    await new Promise((resolve) => setTimeout(resolve, 1))
    seen.push(...batch)
    now -= 1
  })
  expect(seen.sort((a, b) => a - b)).toEqual(items)
  expect(most).toBe(3)
})
