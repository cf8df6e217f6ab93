import { describe, expect, it } from 'vitest'
import { wrapHelp } from '../../../src/builder/commands/wrap-help.ts'

describe('the help of a command', () => {
  it('continues a long description below its beginning', () => {
    expect(wrapHelp('Exit codes:\n  70  the run did not finish: the next run repairs the site', 50)).toBe(
      'Exit codes:\n  70  the run did not finish: the next run repairs\n      the site',
    )
  })

  it('breaks paragraphs anew, wider or narrower, and leaves commands and headings alone', () => {
    const text = 'Keeps running and\nbuilds at each dispatch.\n\nExamples:\n  npx vitrina set p1 price 1'
    expect(wrapHelp(text, 80)).toBe(text.replace('and\n', 'and '))
    expect(wrapHelp(text, 30)).toBe(text.replace('and\nbuilds at each ', 'and builds at each\n'))
  })

  it('does not break words', () => {
    expect(wrapHelp(`A ${'x'.repeat(60)}`, 40)).toContain('x'.repeat(60))
  })
})
