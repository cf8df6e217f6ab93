/** Workers carry out every task, keep no results, and fail no other task than the one that ends or holds up a worker. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it } from 'vitest'
import type { Workers } from '../../../../src/builder/rebuild/render/task-workers.ts'
import { createWorkers } from '../../../../src/builder/rebuild/render/task-workers.ts'
import { LONGEST_TIME } from '../../../support/run/longest-time.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createWorkerModule } from '../../../support/run/worker-module.ts'

const path = useTemporaryFolder()

let workers: Workers<string, unknown> | undefined
afterEach(() => workers?.close())

/** Starts workers that call this function, in JavaScript, with each task. */
function start<Result>(carryOut: string, threads = 1): Workers<string, Result> {
  writeFileSync(path('worker.mjs'), createWorkerModule(`serveTasks(${carryOut})`))
  const started = createWorkers<string, Result>({
    module: path('worker.mjs'),
    data: null,
    threads,
    patience: LONGEST_TIME,
  })
  workers = started
  return started
}

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 3; round += 1) {
    await setImmediate()
    collect()
  }
}

it('the result of a task is kept by nothing but its caller', async () => {
  const { run } = start<{ name: string }>('async (name) => ({ name })')
  const results: WeakRef<object>[] = []
  for (const name of ['one', 'two', 'three']) results.push(new WeakRef(await run(name)))
  await run('another')
  await collectGarbage()
  expect(results.map((result) => result.deref())).toEqual([undefined, undefined, undefined])
})

it.each([1, 3])('each of many tasks gets its own result, with %i threads', async (threads) => {
  const { run } = start<string>('async (name) => name.toUpperCase()', threads)
  const names = Array.from({ length: 50 }, (_, index) => `n${index}`)
  expect(await Promise.all(names.map(run))).toEqual(names.map((name) => name.toUpperCase()))
})

it.each([
  ['throws', "throw new Error('broken on purpose')", 'broken on purpose'],
  ['ends its worker', 'process.exit(3)', 'the worker ended with exit code 3'],
  ['returns what no message can have', 'return () => {}', '() => {} could not be cloned.'],
])('only the task fails that %s, and none that waits behind it', async (_, code, reason) => {
  const { run } = start<string>(`async (name) => { if (name === 'bad') { ${code} } return name }`)
  const settled = await Promise.allSettled(['before', 'bad', 'after', 'last'].map(run))
  expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
    'before',
    reason,
    'after',
    'last',
  ])
})

it('a worker that cannot start leaves its tasks to the others', async () => {
  writeFileSync(
    path('worker.mjs'),
    createWorkerModule(`import { workerData } from 'node:worker_threads'
      if (Atomics.add(workerData, 0, 1) === 0) throw new Error('broken on purpose')
      serveTasks(async (name) => name)`),
  )
  const started = createWorkers<string, string>({
    module: path('worker.mjs'),
    data: new Int32Array(new SharedArrayBuffer(4)),
    threads: 2,
    patience: LONGEST_TIME,
  })
  workers = started
  const names = ['a', 'b', 'c', 'd', 'e']
  expect(await Promise.all(names.map(started.run))).toEqual(names)
})

// Beside `run` and `close`, nothing keeps such a process alive.
it('a process that waits for its workers does not end before', async () => {
  writeFileSync(path('worker.mjs'), createWorkerModule('serveTasks(async (name) => name)'))
  writeFileSync(
    path('main.mjs'),
    `import { createWorkers } from ${JSON.stringify(resolve('src/builder/rebuild/render/task-workers.ts'))}
     for (let round = 0; round < 5; round += 1) {
       const workers = createWorkers({ module: ${JSON.stringify(path('worker.mjs'))}, data: null, threads: 3, patience: ${LONGEST_TIME} })
       const names = ['a', 'b', 'c', 'd', 'e'].slice(round)
       process.stdout.write((await Promise.all(names.map(workers.run))).join('') + ' ')
       await workers.close()
     }`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [path('main.mjs')])
  expect(stdout).toBe('abcde bcde cde de e ')
})
