/** Long lines on a narrow terminal. */
import { expect, it } from 'vitest'
import { wrapLines } from '../../../../src/builder/commands/terminal/format-lines.ts'

it.each([
  ['a line that fits', '  one two', '  one two'],
  ['a long line', 'one two three four five', 'one two three\nfour five'],
  ['an indented line', '  one two three four', '  one two three\n  four'],
  ['a row with a label', '  done  one two three', '  done  one two\n        three'],
  ['an address that is longer than a line', 'see https://vitrina.do/x now', 'see\nhttps://vitrina.do/x\nnow'],
  ['several lines', 'a\none two three four', 'a\none two three\nfour'],
])('%s is broken between words, under its own beginning', (_, text, wrapped) => {
  expect(wrapLines(text, 15)).toBe(wrapped)
})
