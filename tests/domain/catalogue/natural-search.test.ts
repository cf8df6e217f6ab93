import { expect, test } from 'vitest'
import { createNaturalSearch, listDecants } from '../../../src/domain/catalogue/natural-search.ts'
import { createSearchText } from '../../../src/domain/catalogue/search.ts'

test('a query is understood as people mean it', () => {
  const found = [
    ['el perfume de Dior', 'Dior Sauvage'],
    ['dolce y gabbana', 'Dolce & Gabbana K'],
    ['d&g', 'Dolce & Gabbana K'],
    ['nº 5', 'Chanel N°5'],
    ['3.4 oz', 'Eros 100 ml'],
    ['100 ml', 'Eros 3.4 oz'],
    ['tomford', 'Tom Ford Noir'],
    ['one million', '1 Million'],
    ['de mujer', 'Hawas for Her'],
    ['hombre', 'Hawas for Him'],
    ['l’interdit', "L'Interdit"],
    ['\u2068eros\u2069', 'Eros'],
  ] as const
  for (const [query, name] of found) expect(isFound(query, name), `${query} in ${name}`).toBe(true)
  expect(isFound('hombre', 'Hawas for Her')).toBe(false)
  expect(isFound('5 ml', 'Bleu 75 ml')).toBe(false)
})

test('the decants that a product offers are words of it', () => {
  const product = { text: createSearchText('Bleu'), decants: { '5ml': true, '10ml': false } }
  for (const query of ['5 ml', 'decant 5ml', 'decants de bleu'])
    expect(createNaturalSearch(query)(product)).toBe(true)
  expect(createNaturalSearch('10 ml')(product)).toBe(false)
  expect(listDecants({ '5ml': false, '10ml': false })).toEqual([])
})

function isFound(query: string, name: string): boolean {
  return createNaturalSearch(query)({ text: createSearchText(name) })
}
