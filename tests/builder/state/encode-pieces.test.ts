/** Texts that are encoded piece by piece. */
import { expect, it } from 'vitest'
import { encodePieces } from '../../../src/builder/state/encode-pieces.ts'

const gather = (text: readonly string[]): Buffer =>
  Buffer.concat(Array.from(encodePieces(text), (piece) => Buffer.from(piece)))

it.each([
  ['none', ''],
  ['one of two bytes a character', 'ñ'],
  ['a large one of one and three bytes', 'a’'.repeat(300_000)],
  ['a large one of surrogate pairs', '😀'.repeat(300_000)],
  ['a large one of surrogate pairs after one character', `a${'😀'.repeat(300_000)}`],
  ['a large one of halves of pairs', '\ud800'.repeat(300_000)],
])('give the bytes of the whole: %s', (_, text) => {
  expect(gather([text]).equals(Buffer.from(text))).toBe(true)
  expect(gather(['a', text, '', 'ñ']).equals(Buffer.from(`a${text}ñ`))).toBe(true)
})

it('give the bytes of thousands of pieces', () => {
  const pieces = Array.from({ length: 5000 }, (_, index) => `${index} ñ’`.repeat(index % 90))
  expect(gather(pieces).equals(Buffer.from(pieces.join('')))).toBe(true)
})
