import { expect, test } from 'vitest'
import { isOneLetterApart } from '../../../src/domain/documents/text.ts'
import { listNear, splitWord } from '../../../src/domain/search/word-forms.ts'

const KNOWN = new Set('tom ford la vie est belle girl good d hermes terre a aa'.split(' '))

test('a word is divided into words that are known, all of it', () => {
  expect(splitWord('tomford', KNOWN)).toEqual([['tom', 'ford']])
  expect(splitWord('lavieestbelle', KNOWN)).toEqual([['la', 'vie', 'est', 'belle']])
  expect(splitWord('terredhermes', KNOWN)).toEqual([['terre', 'd', 'hermes']])
  for (const word of ['tom', 'tomfor', 'tomfordx', 'tom5ford', 'aa'.repeat(13)])
    expect(splitWord(word, KNOWN)).toEqual([])
})

test('beside a word that is known, the other one may be misspelt', () => {
  expect(listNear('godgirl', KNOWN)).toEqual([['good', 'girl']])
  expect(listNear('tomfrod', KNOWN)).toEqual([['tom', 'ford']])
})

test('a letter may be wrong, missing, too many or swapped with its neighbour', () => {
  for (const word of ['chanal', 'chnel', 'channel', 'hcanel', 'chanel', 'achanel', 'chanels', 'chane'])
    expect(isOneLetterApart(word, 'chanel'), word).toBe(true)
})

test('two letters may not', () => {
  for (const word of ['chnl', 'chnnal', 'hcnael', 'chanelaa', 'dhanek', 'cehanl', 'enahcl'])
    expect(isOneLetterApart(word, 'chanel'), word).toBe(false)
})

test('only long words of letters are forgiven', () => {
  const known = new Set(['asad', 'yara', '100ml', '12345', 'angel'])
  const near = ['asada', 'yaro', '101ml', '12344', 'angl', 'angol'].flatMap((word) => listNear(word, known))
  expect(near).toEqual([['angel'], ['angel']])
})
