/** A command line in a process group of its own: what it says, and that all of it ends. */
import { expect, it } from 'vitest'
import { readWork, runGroup } from '../../../scripts/fakes/run-group.ts'

const SETUP = { folder: '.', environment: { PATH: process.env['PATH'] ?? '' }, flags: ['--norc'] }

it('returns the exit code and what was written, and types what is asked for', async () => {
  expect(await runGroup('read answer; echo "got $answer"; exit 3', { ...SETUP, input: 'yes\n' })).toEqual({
    code: 3,
    said: 'got yes\n',
  })
})

it('ends with the processes that the command has started', async () => {
  const end = new AbortController()
  // The inner process keeps the output open.
  const run = runGroup('(echo begun; exec sleep 1000) & wait', {
    ...SETUP,
    end: end.signal,
    onText: () => end.abort(),
  })
  expect(await run).toEqual({ code: null, said: 'begun\n' })
})

it('shows that a command works', async () => {
  const end = new AbortController()
  const run = runGroup('echo begun; while :; do :; done', {
    ...SETUP,
    end: end.signal,
    onText: () => {
      const before = readWork()
      expect(before).not.toBe('')
      const timer = setInterval(() => {
        if (readWork() === before) return
        clearInterval(timer)
        end.abort()
      }, 100)
    },
  })
  expect((await run).code).toBeNull()
  expect(readWork()).toBe('')
})
