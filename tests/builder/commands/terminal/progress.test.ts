/** Progress on a terminal, and in a log. */
import { Writable } from 'node:stream'
import { WriteStream } from 'node:tty'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createProgress } from '../../../../src/builder/commands/terminal/progress.ts'

class Screen extends Writable {
  text = ''
  readonly isTTY: boolean
  readonly columns: number

  constructor(isTTY: boolean, columns = 80) {
    super()
    this.isTTY = isTTY
    this.columns = columns
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }

  // The methods of a real terminal, which read the environment.
  readonly hasColors = WriteStream.prototype.hasColors
  readonly getColorDepth = WriteStream.prototype.getColorDepth
}

beforeEach(() => {
  for (const name of ['CI', 'NO_COLOR', 'FORCE_COLOR']) vi.stubEnv(name, undefined)
  vi.stubEnv('TERM', 'xterm')
  vi.useFakeTimers()
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

/** Shows two states of a task, half a second apart, and its result. */
function show(screen: Screen): string {
  const progress = createProgress('import', screen)
  progress.update('1,000 documents')
  vi.advanceTimersByTime(500)
  progress.update('2,000 documents')
  progress.done('done')
  return screen.text
}

it('Progress in a log is a plain line every two seconds, regardless of the number of updates', () => {
  const screen = new Screen(false)
  const progress = createProgress('import', screen)
  for (let second = 0.5; second <= 5; second += 0.5) {
    vi.advanceTimersByTime(500)
    progress.update(`${second} s`)
  }
  progress.done('the disk is full')
  expect(screen.text).toBe('import: 2 s\nimport: 4 s\nimport: the disk is full\n')
})

it('Progress on a terminal is one line, which the result replaces', () => {
  const shown = show(new Screen(true)).split('\r\u001B[K')
  expect(shown).toEqual(['', 'import: 1,000 documents', 'import: 2,000 documents', 'import: done\n'])
})

it('A line of progress is no longer than the terminal is wide', () => {
  const screen = new Screen(true, 20)
  createProgress('import', screen).update('a'.repeat(30))
  expect(screen.text.replace('\r\u001B[K', '')).toHaveLength(19)
})

it.each([
  ['a terminal without a width', 0, {}],
  ['NO_COLOR', 80, { NO_COLOR: '1' }],
  ['a terminal that cannot move its cursor', 80, { TERM: 'dumb' }],
])('Progress with %s has no escape sequences', (_, columns, variables: Record<string, string>) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  expect(show(new Screen(true, columns))).toBe('import: done\n')
})

it('A task without a result prints nothing', () => {
  const screen = new Screen(true)
  createProgress('import', screen).done('')
  expect(screen.text).toBe('')
})
