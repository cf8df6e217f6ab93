import { expect, test } from 'vitest'
import { splitNear, splitWord } from '../../../src/domain/search/joined-words.ts'

const isKnown = (piece: string): boolean =>
  ['tom', 'ford', 'la', 'vie', 'est', 'belle', 'girl', 'd', 'hermes', 'terre', 'a', 'aa'].includes(piece)

test('a word is divided into words that are known, all of it', () => {
  expect(splitWord('tomford', isKnown)).toEqual([['tom', 'ford']])
  expect(splitWord('lavieestbelle', isKnown)).toEqual([['la', 'vie', 'est', 'belle']])
  expect(splitWord('terredhermes', isKnown)).toEqual([['terre', 'd', 'hermes']])
  for (const word of ['tom', 'tomfor', 'tomfordx', 'tom5ford']) expect(splitWord(word, isKnown)).toEqual([])
})

test('a word of many short ones is divided in few ways, and a long one not at all', () => {
  expect(splitWord('a'.repeat(12), (piece) => /^a+$/.test(piece))).toHaveLength(8)
  expect(splitWord('a'.repeat(25), (piece) => /^a+$/.test(piece))).toEqual([])
  expect(splitWord(`${'a'.repeat(23)}b`, (piece) => /^a+$/.test(piece))).toEqual([])
})

test('beside a word that is known, the other one may be misspelt', () => {
  expect(splitNear('godgirl', isKnown)).toEqual([{ known: 'girl', other: 'god' }])
  expect(splitNear('tomfrod', isKnown)).toEqual([{ known: 'tom', other: 'frod' }])
  expect(splitNear('a'.repeat(16), () => true)).toHaveLength(8)
})
