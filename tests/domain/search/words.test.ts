import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  cleanQuery,
  listWords,
  MAX_LINE,
  MAX_QUERY,
  MAX_QUERY_WORDS,
  parseQuery,
} from '../../../src/domain/search/words.ts'
import { ANY_CHARACTER } from '../../support/run/values.ts'

test('words have no accents and no capitals', () => {
  expect(listWords('Ángel Ñandú')).toEqual(['angel', 'nandu'])
  expect(parseQuery('  ÁNGEL ñandu ')).toEqual(['angel', 'nandu'])
})

test('a name has the words of its synonyms', () => {
  expect(listWords('Bleu EDP')).toEqual(['bleu', 'edp', 'eau', 'de', 'parfum', 'perfume'])
  expect(listWords('Bleu Eau de Toilette')).toEqual(['bleu', 'eau', 'de', 'toilette', 'edt'])
})

test('an amount is one word, with and without a space', () => {
  for (const name of ['Bleu 100ml', 'Bleu 100 ml', 'Bleu 100 ML']) {
    expect([...listWords(name)].sort()).toEqual(['100', '100ml', 'bleu', 'ml'])
    expect(parseQuery(name)).toEqual(['bleu', '100ml'])
  }
  expect(parseQuery('75 g')).toEqual(['75g'])
})

test('ounces are millilitres, as bottles are filled', () => {
  const ounces = {
    '1 oz': 30,
    '1.7oz': 50,
    '2,5 oz': 75,
    '3.4 fl oz': 100,
    '3.4': 100,
    '4.2 onzas': 125,
    '6.8 oz': 200,
  }
  for (const [text, ml] of Object.entries(ounces)) {
    expect(parseQuery(`dior ${text}`), text).toEqual(['dior', `${ml}ml`])
    expect(listWords(`Dior ${text}`), text).toContain(`${ml}ml`)
  }
  expect(parseQuery('13.40 oz 212.5')).toEqual(['395ml', '212', '5'])
  for (const text of ['100 mls', '100mililitros', '100 cc']) expect(parseQuery(text)).toEqual(['100ml'])
})

test('words that carry nothing are dropped where others remain', () => {
  expect(parseQuery('Hola, quiero el perfume de Dior')).toEqual(['dior'])
  expect(parseQuery('un perfume')).toEqual(['perfume'])
  expect(parseQuery('de la')).toEqual(['de', 'la'])
  expect(parseQuery('the one')).toEqual(['the', 'one'])
  expect(parseQuery('club the nuit')).toEqual(['club', 'nuit'])
  expect(parseQuery('zadig y voltaire')).toEqual(['zadig', 'voltaire'])
  expect(parseQuery('ysl y edp')).toEqual(['ysl', 'y', 'edp'])
  expect(parseQuery('quiero un perfume de los que me gustan')).toEqual(['gustan'])
})

test('the sign of a number is none of its words', () => {
  for (const text of ['Nº 5', 'N°5', 'No. 5', 'número 5', 'n5', 'number 5'])
    expect(parseQuery(text), text).toEqual(['5'])
  expect(parseQuery('ano 5')).toEqual(['ano', '5'])
})

test('digits after letters begin a word', () => {
  expect(parseQuery('edp100ml x5')).toEqual(['edp', '100ml', 'x', '5'])
  expect(listWords('EDP100ml')).toEqual(expect.arrayContaining(['edp', '100', '100ml', 'ml', 'parfum']))
})

test('a name has its first words only, and those of synonyms after them', () => {
  const words = 'abcdefghijklmnopqrstuvwxyz'.replaceAll(/./g, ' $&bcdefghi').trim()
  expect(listWords(words)).toEqual(words.split(' ').slice(0, MAX_LINE / 10))
  expect(listWords(`EDP ${words}`)).not.toContain('parfum')
})

test('a name of half a million digits is read once, not once for each digit', () => {
  expect(listWords('1'.repeat(500_000))).toEqual(['1'.repeat(32)])
})

test('every name is found by itself, and by the beginning of its words', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.stringMatching(/^[A-Za-zÁñ0-9 .,'-]{0,30}$/),
  )
  fc.assert(
    fc.property(name, fc.nat(30), (text, end) => {
      const words = listWords(text)
      for (const query of [text, text.slice(0, end)]) {
        for (const word of parseQuery(query))
          expect(
            words.some((one) => one.startsWith(word)),
            `${word} of ${query}`,
          ).toBe(true)
      }
    }),
    {
      examples: [
        ['Bleu 100 ml', 8],
        ['9 PM', 4],
        ["J'adore 3.4oz", 12],
      ],
    },
  )
})

test('the words of any query are few and short, and consist of letters and digits', () => {
  const query = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 120 }),
    fc.string({ unit: 'binary-ascii' }),
  )
  fc.assert(
    fc.property(query, (text) => {
      const words = parseQuery(text)
      expect(words.length).toBeLessThanOrEqual(MAX_QUERY_WORDS)
      expect(words.filter((word) => !/^[\p{L}\p{N}]{1,32}$/u.test(word))).toEqual([])
    }),
    { numRuns: 25 },
  )
  expect(parseQuery('x'.repeat(10_000))).toEqual(['x'.repeat(32)])
})

test('a query is shown as one line of whole characters, at most 100, with the same words', () => {
  expect(cleanQuery('  Eau\n de\0 \u202eParfum ')).toBe('Eau de Parfum')
  expect(cleanQuery(' \0\u200f ')).toBe('')
  const cut = cleanQuery('\u{1F600}'.padStart(MAX_QUERY + 1, 'x'))
  expect(cut).toBe('x'.repeat(MAX_QUERY - 1))
  expect(parseQuery('Eau\u00adde')).toEqual(['eaude'])
  const query = fc.string({ unit: ANY_CHARACTER, maxLength: MAX_QUERY / 2 })
  fc.assert(
    fc.property(query, (text) => {
      expect(parseQuery(cleanQuery(text))).toEqual(parseQuery(text))
    }),
    { numRuns: 100, examples: [['Ꭰ\u00ad〸']] },
  )
})
