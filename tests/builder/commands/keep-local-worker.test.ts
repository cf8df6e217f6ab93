/** `npm start` shows the search with the code that was compiled last. */
import { mkdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { keepLocalWorker } from '../../../src/builder/commands/search/local-worker.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()

it('prepares the Worker again after each compile, and tells what failed', async () => {
  const end = new AbortController()
  const lines: string[] = []
  let prepared = 0
  mkdirSync(path('store'))
  const prepare = async (): Promise<void> => {
    prepared += 1
    if (prepared === 2) throw new Error('the disk is full')
  }
  const warn = (line: string): void => void lines.push(line)
  const kept = keepLocalWorker({ prepare, warn, store: path('store'), pause: 10 }, end.signal)
  for (const [index, name] of ['one', 'two', 'three'].entries()) {
    expect(prepared).toBe(index)
    mkdirSync(path(`store/${name}`))
    await expect.poll(() => prepared, { interval: 10 }).toBe(index + 1)
  }
  expect(lines).toEqual(['The local search shows older pages: the disk is full.'])
  end.abort()
  await kept
})
