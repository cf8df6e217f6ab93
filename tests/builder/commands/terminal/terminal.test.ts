/** The terminal of commands: the signals that end them, and what programs read. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTerminal } from '../../../../src/builder/commands/program.ts'
import { createProgress } from '../../../../src/builder/commands/terminal/progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const count = (): number => process.listenerCount('SIGHUP')

it('A terminal ignores repeats of a signal for a second, and then lets one end the process', () => {
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

it('A report is one line of JSON that no terminal takes for anything else', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const report = { name: 'Ñandú\u202E\u009B31m\n' }
  createTerminal(createProgress('rebuild'), true).report(report)
  const [line = ''] = log.mock.calls[0] ?? []
  expect(line).toMatch(/^[ -~]+$/)
  expect(JSON.parse(String(line))).toEqual(report)
})
