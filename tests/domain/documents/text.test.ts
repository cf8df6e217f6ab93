import { expect, test } from 'vitest'
import { cleanText, foldText } from '../../../src/domain/documents/text.ts'

test('text of one line is unchanged', () => {
  for (const text of ['Ámbar n.º 5', 'a "b" <c> & d', '李 👩🏽‍🚀', "L'Eau d'Issey"])
    expect(cleanText(text)).toBe(text)
})

test('the fast path for Latin-1 text gives the same result as the slow path', () => {
  for (let unit = 0; unit < 256; unit += 1) {
    const text = `a${String.fromCharCode(unit)}b`
    expect(cleanText(`${text} 李`)).toBe(`${cleanText(text)} 李`)
  }
})

test('runs of white space become one space, and none at the ends', () => {
  expect(cleanText('  dos\t\tpalabras\r\n\u2028y\u00a0más ')).toBe('dos palabras y más')
})

test('control characters are removed, including terminal escapes', () => {
  expect(cleanText('a\u0000b\u001b[31mc\u007fd\u009be')).toBe('a b [31mc d e')
})

test('bidirectional marks are removed', () => {
  const marks = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff'
  for (const mark of marks) expect(cleanText(`a${mark}b`)).toBe('a b')
})

test('an unpaired surrogate becomes the replacement character', () => {
  expect(cleanText('a\ud83db\ude00')).toBe('a\ufffdb\ufffd')
  expect(cleanText('\ud800').isWellFormed()).toBe(true)
})

test('two spellings of an accent give the same text', () => {
  expect(cleanText('n\u0303andu\u0301')).toBe('ñandú')
})

test('blank text becomes empty', () => {
  for (const text of ['', ' ', '\u0000\u202e\n\u3000']) expect(cleanText(text)).toBe('')
})

test('invisible text becomes empty', () => {
  for (const text of ['\u200b', '\u2060\u200d', '\u00ad', '\u0301']) expect(cleanText(text)).toBe('')
})

test('text after thousands of blanks is kept', () => {
  expect(cleanText(`${' '.repeat(10_000)}Ana`)).toBe('Ana')
})

test('500 characters are kept and 501 are cut with an ellipsis, with emoji at any place', () => {
  for (const character of ['a', '😀']) {
    expect(cleanText(character.repeat(500))).toBe(character.repeat(500))
    expect(cleanText(character.repeat(501))).toBe(`${character.repeat(499)}…`)
  }
})

test.each([
  ['ñ', 10],
  ['\u202e', 10],
  ['e\u0301', 10],
  ['\ud800', 10],
  // Every leading blank is read, once.
  [' \t', 1_000],
])('cleaning a hundred times as much of %j takes less than %i times as long', (unit, most) => {
  const [short, long] = [measureCleaning(unit.repeat(100_000)), measureCleaning(unit.repeat(10_000_000))]
  expect(long / short).toBeLessThan(most)
})

/** Returns the shortest of several times, in milliseconds: the others may include work of other processes. */
function measureCleaning(text: string): number {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now()
    expect([...cleanText(text)].length).toBeLessThanOrEqual(500)
    return performance.now() - start
  })
  return Math.min(...times)
}

test('cleaning is idempotent', () => {
  for (const text of [
    '\u202e a \u202e b\n\u0000',
    'n\u0303'.repeat(900),
    '\ud800x',
    `${'a'.repeat(600)} b`,
  ]) {
    expect(cleanText(cleanText(text))).toBe(cleanText(text))
  }
})

test('folded text has no accents and no capitals', () => {
  expect(foldText('Ámbar ÑANDÚ Über n\u0303')).toBe('ambar nandu uber n')
})
