import { Writable } from 'node:stream'
import { setImmediate as drain } from 'node:timers/promises'
import { WriteStream } from 'node:tty'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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

  cursorTo(): void {}
  moveCursor(): void {}
  clearLine(): void {}
}

describe('progress in a log', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('prints only the result of a short task', () => {
    const screen = new Screen(false)
    const progress = createProgress('import', screen)
    progress.update('1,000 documents')
    progress.done('2,000 documents')
    expect(screen.text).toBe('import: 2,000 documents\n')
  })

  it('is a plain line every two seconds, regardless of the number of updates', () => {
    const screen = new Screen(false)
    const progress = createProgress('import', screen)
    for (let second = 0.5; second <= 5; second += 0.5) {
      vi.advanceTimersByTime(500)
      progress.update(`${second} s`)
    }
    expect(screen.text).toBe('import: 2 s\nimport: 4 s\n')
  })

  it('ends with the last state of a task that showed one before, and then its result', () => {
    const screen = new Screen(false)
    const progress = createProgress('import', screen)
    for (const second of [2, 3]) {
      vi.advanceTimersByTime(second === 2 ? 2_000 : 1_000)
      progress.update(`${second} s`)
    }
    progress.done('')
    expect(screen.text).toBe('import: 2 s\nimport: 3 s\n')
    progress.fail('the disk is full')
    expect(screen.text).toBe('import: 2 s\nimport: 3 s\nimport: the disk is full\n')
  })

  it('can end without output', () => {
    const screen = new Screen(false)
    createProgress('import', screen).done('')
    createProgress('import', screen).fail('')
    expect(screen.text).toBe('')
  })
})

describe('progress in a terminal', () => {
  // With these variables ora assumes the log of a build server.
  beforeEach(() => {
    vi.stubEnv('TERM', 'xterm')
    vi.stubEnv('CI', undefined)
    vi.stubEnv('NO_COLOR', undefined)
    vi.stubEnv('FORCE_COLOR', undefined)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] })
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.useRealTimers()
  })

  /** Returns when the spinner, if any, is loaded and shown. */
  async function settle(): Promise<void> {
    await vi.dynamicImportSettled()
    await drain()
    vi.advanceTimersByTime(500)
  }

  it('is one line that is updated and then replaced by the result', async () => {
    const screen = new Screen(true)
    const progress = createProgress('import', screen)
    progress.update('1,000 documents')
    await settle()
    expect(screen.text).toContain('import: 1,000 documents')
    progress.update('2,000 documents')
    await settle()
    expect(screen.text).toContain('import: 2,000 documents')
    progress.done('done')
    expect(screen.text).toMatch(/✔ import: done\n/)
  })

  it('is plain lines if the terminal has no width', async () => {
    const screen = new Screen(true, 0)
    const progress = createProgress('import', screen)
    progress.update('1,000 documents')
    await settle()
    progress.done('done')
    expect(screen.text).toBe('import: done\n')
  })

  it.each([
    ['NO_COLOR', '1'],
    ['TERM', 'dumb'],
  ])('is plain lines, without colours and moves of the cursor, with %s=%s', async (name, value) => {
    vi.stubEnv(name, value)
    const screen = new Screen(true)
    const progress = createProgress('import', screen)
    progress.update('1,000 documents')
    await settle()
    progress.done('done')
    expect(screen.text).toBe('import: done\n')
  })

  it('shows no spinner for a task without updates', async () => {
    const screen = new Screen(true)
    createProgress('start', screen)
    await settle()
    expect(screen.text).toBe('')
  })

  it('shows no spinner after a task that ended before it appeared', async () => {
    const screen = new Screen(true)
    const progress = createProgress('import', screen)
    progress.update('1,000 documents')
    progress.fail('it broke')
    await settle()
    expect(screen.text).toBe('✖ import: it broke\n')
  })
})
