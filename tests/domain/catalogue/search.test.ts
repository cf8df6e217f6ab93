import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNaturalSearch } from '../../../src/domain/catalogue/natural-search.ts'
import { createSearch, createSearchText } from '../../../src/domain/catalogue/search.ts'
import { foldText } from '../../../src/domain/documents/text.ts'

test('a search ignores accents, case and word order', () => {
  expect(isFound('ANGEL', 'Ángel')).toBe(true)
  expect(isFound('ángel', 'Angel')).toBe(true)
  expect(isFound('nandu', 'Ñandú')).toBe(true)
  expect(isFound('chanel bleu', 'Bleu de Chanel')).toBe(true)
  expect(isFound('n\u0303andu\u0301', 'Ñandú')).toBe(true)
})

test('an apostrophe is found however it is typed', () => {
  for (const typed of ["J'adore", 'J’adore', 'j´adore'])
    for (const name of ["Dior J'adore", 'Dior J’adore', 'Dior J´adore'])
      expect(isFound(typed, name), `${typed} in ${name}`).toBe(true)
})

test('invisible characters of a copied query count as nothing', () => {
  for (const query of ['Bleu\u200b', '\u2068Bleu\u2069', 'Bl\u00adeu', '\u200eBleu'])
    expect(isFound(query, 'Bleu de Chanel')).toBe(true)
  expect(isFound('👩‍🚀', 'Bleu 👩‍🚀')).toBe(true)
})

test('a search requires every word', () => {
  expect(isFound('bleu dior', 'Bleu de Chanel')).toBe(false)
})

test('a blank search matches everything', () => {
  for (const query of ['', ' ', '\t \n']) expect(isFound(query, 'Bleu')).toBe(true)
})

test('special characters of regular expressions in a query match literally', () => {
  expect(isFound('.*', 'Bleu')).toBe(false)
  expect(isFound('(1)', 'Número (1)')).toBe(true)
})

test('an amount is found with and without a space before its unit', () => {
  const amounts = [
    ['100ml', '100 ml'],
    ['9pm', '9 PM'],
    ['3.4oz', '3.4 oz'],
  ] as const
  for (const [joined, apart] of amounts) {
    for (const name of [`Afnan ${joined} Elixir`, `Afnan ${apart} Elixir`]) {
      for (const query of [joined, apart, joined.toUpperCase(), `elixir ${joined}`, joined.slice(0, -1)]) {
        expect(isFound(query, name), `${query} in ${name}`).toBe(true)
      }
    }
  }
})

test('a joined amount finds no other amount', () => {
  expect(isFound('5ml', 'Bleu Eau de Parfum 75 ml')).toBe(false)
  expect(isFound('100ml', 'Bleu Eau de Parfum 50 ml')).toBe(false)
})

const PAIRS = [
  ['EDP', 'Eau de Parfum'],
  ['EDT', 'Eau de Toilette'],
  ['EDC', 'Eau de Cologne'],
  ['perfume', 'Parfum'],
  ['EDP', 'Eau de Perfume'],
  ['YSL', 'Yves Saint Laurent'],
  ['JPG', 'Jean Paul Gaultier'],
] as const

for (const [short, long] of PAIRS) {
  test(`«${short}» and «${long}» find each other`, () => {
    for (const [query, form] of [
      [short, long],
      [long, short],
    ] as const) {
      for (const name of [
        form,
        `Bleu ${form} 100 ml`,
        `Bleu (${form}) 100ml`,
        `BLÉU ${form.toUpperCase()}`,
      ]) {
        for (const words of [query, query.toLowerCase(), query.slice(0, 2)])
          expect(isFound(words, name), `${words} in ${name}`).toBe(true)
      }
      expect(isFound(`bléu ${query} 100ml`, `Bleu ${form} 100 ml`)).toBe(true)
    }
  })
}

test('a synonym replaces whole words only, and no other synonym', () => {
  expect(isFound('parfum', 'Redpoint Edpx')).toBe(false)
  expect(isFound('EDP', 'Bleu Eau de Toilette')).toBe(false)
  expect(isFound('EDP', 'Extrait de Parfum')).toBe(false)
  expect(isFound('eau', 'Bleu EDP100ml')).toBe(true)
})

describe.each([
  ['plain', createSearch],
  ['natural', createNaturalSearch],
])('a %s search', (_, create) => {
  const finds = (query: string, name: string): boolean => create(query)({ text: createSearchText(name) })

  test('a name of half a million digits is read once, not once for each digit', () => {
    for (const part of ['1', '1 ', 'n', '. '])
      expect(finds('5ml', `${part.repeat(500_000)}, .5 ml`)).toBe(true)
  })

  test('punctuation around the words of a query is ignored', () => {
    for (const query of [
      'dior,',
      'Dior Sauvage - 100 ml',
      '«Sauvage»',
      '¿dior? (sauvage).',
      'sauvage / dior!',
    ])
      expect(finds(query, 'Dior Sauvage Elixir 100 ml'), query).toBe(true)
    expect(finds('dior - bleu', 'Dior Sauvage')).toBe(false)
    expect(finds('3.4, j’adore', 'J’adore 3.4 oz')).toBe(true)
  })

  test('a query of punctuation only finds names that contain it', () => {
    for (const query of ['.*', '-', '&', '- &']) expect(finds(query, 'Bleu'), query).toBe(false)
    expect(finds('&', 'Dolce & Gabbana')).toBe(true)
  })

  test('each word of a query finds a name that contains it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 })),
        fc.nat(),
        fc.nat(),
        (words, a, b) => {
          const name = words.join(' ')
          const part = foldText(name).slice(Math.min(a, b) % 20, Math.max(a, b) % 40)
          expect(finds(part, name)).toBe(true)
        },
      ),
    )
  })
})

function isFound(query: string, name: string): boolean {
  return createSearch(query)({ text: createSearchText(name) })
}
