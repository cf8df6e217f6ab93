/** A pool of workers keeps no results of finished tasks. */
import { writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createWorkers } from '../../../../src/builder/rebuild/render/task-workers.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 3; round += 1) {
    await setImmediate()
    collect()
  }
}

it('the result of a task is kept by nothing but its caller', async () => {
  writeFileSync(path('worker.mjs'), 'export default (name) => ({ name })')
  const workers = createWorkers<string, { name: string }>({
    module: path('worker.mjs'),
    data: null,
    threads: 1,
    patience: 60_000,
  })
  try {
    const results: WeakRef<object>[] = []
    for (const name of ['one', 'two', 'three']) results.push(new WeakRef(await workers.run(name)))
    await workers.run('another')
    await collectGarbage()
    expect(results.map((result) => result.deref())).toEqual([undefined, undefined, undefined])
  } finally {
    await workers.close()
  }
})
