import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { COMMANDS } from '../../../../scripts/commands.mjs'
import { command as rebuild } from '../../../../src/builder/commands/rebuild/run-rebuild.ts'
import { parseCommand } from '../../../../src/builder/commands/program.ts'
import { showCommands } from '../../../../src/builder/commands/show-commands.ts'
import { wrapHelp } from '../../../../src/builder/commands/terminal/wrap-help.ts'

describe('the help of a command', () => {
  it('continues a long description below its beginning', () => {
    expect(wrapHelp('Exit codes:\n  70  the run did not finish: the next run repairs the site', 50)).toBe(
      'Exit codes:\n  70  the run did not finish: the next run repairs\n      the site',
    )
  })

  it('breaks paragraphs anew, wider or narrower, and leaves commands and headings alone', () => {
    const text = 'Keeps running and\nbuilds at each dispatch.\n\nExamples:\n  npx vitrina set p1 price 1'
    expect(wrapHelp(text, 80)).toBe(text.replace('and\n', 'and '))
    expect(wrapHelp(text, 30)).toBe(text.replace('and\nbuilds at each ', 'and builds at\neach '))
  })

  it('does not break words', () => {
    expect(wrapHelp(`A ${'x'.repeat(60)}`, 40)).toContain('x'.repeat(60))
  })
})

describe('on a narrow terminal', () => {
  /** Returns the lines that are printed at this width. */
  function print(columns: number, show: () => unknown): readonly string[] {
    let text = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => ((text += String(chunk)), true))
    const before = { columns: process.stdout.columns, isTTY: process.stdout.isTTY }
    onTestFinished(() => {
      vi.restoreAllMocks()
      Object.assign(process.stdout, before)
    })
    Object.assign(process.stdout, { columns, isTTY: true })
    show()
    return text.split('\n')
  }

  it.each([
    ['the list of all commands', () => showCommands(COMMANDS, ['--help'])],
    ['the help of a command', () => parseCommand({ name: 'rebuild', definition: rebuild }, ['--help'], {})],
  ])('%s fits', (_, show) => {
    const lines = print(56, show)
    expect(lines.length).toBeGreaterThan(40)
    expect(lines.filter((line) => line.length > 56)).toEqual([])
  })
})
