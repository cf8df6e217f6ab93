import { expect, test } from 'vitest'
import {
  isForgivable,
  isForgiving,
  isOneLetterApart,
  listNear,
} from '../../../src/domain/search/near-words.ts'

test('a letter may be wrong, missing, too many or swapped with its neighbour', () => {
  for (const word of ['chanal', 'chnel', 'channel', 'hcanel', 'chanel', 'achanel', 'chanels', 'chane'])
    expect(isOneLetterApart(word, 'chanel'), word).toBe(true)
})

test('two letters may not', () => {
  for (const word of ['chnl', 'chnnal', 'hcnael', 'chanelaa', 'dhanek', 'cehanl', 'enahcl'])
    expect(isOneLetterApart(word, 'chanel'), word).toBe(false)
})

test('only long words of letters are forgiven', () => {
  expect(['asad', 'yara', '100ml', '12345'].filter(isForgiving)).toEqual([])
  expect(['angel', 'ámbar'].filter(isForgiving)).toEqual(['angel', 'ámbar'])
  expect(['a'.repeat(16), 'a'.repeat(17)].map(isForgiving)).toEqual([true, false])
  expect(['ana', '100m', '9pm', 'angl'].filter(isForgivable)).toEqual(['angl'])
})

test('all that is one letter apart from a piece is listed, of at least four letters', () => {
  const near = listNear('god')
  expect(near).toEqual(expect.arrayContaining(['good', 'gold', 'agod', 'godz']))
  for (const one of near) expect(isOneLetterApart('god', one), one).toBe(true)
  expect(near.filter((one) => one.length < 4)).toEqual([])
  expect(listNear('frod')).toContain('ford')
  expect(listNear('frod')).not.toContain('fro')
})
