import { expect, test } from 'vitest'
import { cleanText, foldText } from '../../../src/domain/documents/text.ts'

test('text of one line is unchanged by cleaning', () => {
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

test('control characters are removed from text, including terminal escapes', () => {
  expect(cleanText('a\u0000b\u001b[31mc\u007fd\u009be')).toBe('a b [31mc d e')
})

test('bidirectional marks are removed from text', () => {
  const marks = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff'
  for (const mark of marks) expect(cleanText(`a${mark}b`)).toBe('a b')
})

test('an unpaired surrogate in text becomes the replacement character', () => {
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
  const letters = ['\u3164', '\u115f\u1160', '\uffa0', '\u2800']
  for (const text of ['\u200b', '\u2060\u200d', '\u00ad', '\u0301', '\u{e0041}', '\ufe0f', ...letters])
    expect(cleanText(text)).toBe('')
})

test('unseen characters between others are removed, so that two names that look the same are', () => {
  for (const unseen of ['\u200b', '\u200c', '\u200d', '\u00ad', '\u2060', '\u2064', '\u180e', '\u{e0041}'])
    expect(cleanText(`Chan${unseen}el`)).toBe('Chanel')
})

test('the characters that join emoji stay, and only there', () => {
  for (const text of ['👩🏽‍🚀', '🏳️‍🌈 ❤️‍🔥']) expect(cleanText(text)).toBe(text)
  for (const text of ['\u200d😀', '😀\u200d', '😀\u200d\u200d', '😀\u200da'])
    expect(cleanText(text)).not.toContain('\u200d')
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
  ['ñ', 500],
  ['\u202e', 0],
  ['e\u0301', 500],
  ['\ud800', 500],
  [' \t', 0],
])('a text of a million %j is read once, not once for each character', (unit, length) => {
  expect(cleanText(unit.repeat(1_000_000))).toHaveLength(length)
})

test('cleaning a text again changes nothing', () => {
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
  expect(foldText('L’Eau D´Issey\u200b')).toBe("l'eau d'issey")
})
