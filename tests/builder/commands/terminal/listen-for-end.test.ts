/** The signals that end a command, and their repeats: npm sends Ctrl-C once more. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTerminal } from '../../../../src/builder/commands/program.ts'
import { createProgress } from '../../../../src/builder/commands/terminal/progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const count = (): number => process.listenerCount('SIGHUP')

it('ignores repeats of a signal for a second, and then lets one end the process', () => {
  const before = count()
  const end = createTerminal(createProgress('rebuild'), false).listenForEnd()
  expect([end.aborted, count() - before]).toEqual([false, 1])
  process.emit('SIGHUP')
  vi.advanceTimersByTime(900)
  process.emit('SIGHUP')
  expect([end.aborted, count() - before]).toEqual([true, 1])
  // Without a listener, Node lets the signal end the process.
  vi.advanceTimersByTime(100)
  expect(count()).toBe(before)
})
