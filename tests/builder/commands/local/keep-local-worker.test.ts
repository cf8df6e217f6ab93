/** `npm start` shows the search with the code of the last rebuild. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { keepLocalWorker } from '../../../../src/builder/commands/local/keep-local-worker.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

it('writes the Worker again after each rebuild, and reports what failed', async () => {
  const end = new AbortController()
  const lines: string[] = []
  let written = 0
  mkdirSync(path('state'))
  const write = async (): Promise<void> => {
    written += 1
    if (written === 2) throw new Error('the disk is full')
  }
  const warn = (line: string): void => void lines.push(line)
  const kept = keepLocalWorker({ write, warn, state: path('state'), pause: 10 }, end.signal)
  for (const [index, file] of ['record.sqlite', 'record.sqlite-wal', 'record.sqlite'].entries()) {
    expect(written).toBe(index)
    writeFileSync(path(`state/${file}`), '')
    await expect.poll(() => written, { interval: 10 }).toBe(index + 1)
  }
  expect(lines).toEqual(['The local search page is not up to date: the disk is full.'])
  end.abort()
  await kept
})
