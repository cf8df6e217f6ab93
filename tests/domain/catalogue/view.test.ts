import { expect, test } from 'vitest'
import type { View } from '../../../src/domain/catalogue/view.ts'
import {
  EVERYTHING,
  FILTERS,
  formatView,
  isFound,
  isSeen,
  parseView,
} from '../../../src/domain/catalogue/view.ts'

test('an address without parameters gives the default view', () => {
  expect(parseView('')).toEqual(EVERYTHING)
})

test('an unknown filter shows every product', () => {
  for (const search of ['?filtro=todo', '?filtro=', '?filtro=DISPONIBLE', '?filtro=__proto__', '?filtro']) {
    expect(parseView(search).filter).toBe('todos')
  }
})

test('every view survives a round trip through the address', () => {
  for (const filter of FILTERS) {
    for (const query of ['', 'bleu', 'ñandú & más', '100%', ' dos  palabras ', '+#?=']) {
      const view: View = { filter, query }
      expect(parseView(formatView(view, ''))).toEqual(view)
    }
  }
})

test('the default view adds no parameters to the address', () => {
  expect(formatView(EVERYTHING, '?filtro=disponible&q=bleu')).toBe('')
})

test('other parameters of the address are kept', () => {
  expect(formatView({ filter: 'disponible', query: '' }, '?utm_source=whatsapp&q=x')).toBe(
    '?utm_source=whatsapp&filtro=disponible',
  )
})

test('a view has one address, regardless of the order of choices', () => {
  const view: View = { filter: 'disponible', query: 'bleu' }
  expect(formatView(view, '?q=bleu')).toBe(formatView(view, '?filtro=no-disponible'))
})

test('each filter shows its own products', () => {
  const kept = FILTERS.map((filter) =>
    [true, false].map((available) => isSeen({ filter, query: '' }, 'x', available)),
  )
  expect(kept).toEqual([
    [true, true],
    [true, false],
    [false, true],
  ])
})

test('a product is shown when both filter and search match it', () => {
  const view: View = { filter: 'disponible', query: 'bleu' }
  expect(isSeen(view, 'Bleu de Chanel', true)).toBe(true)
  expect(isSeen(view, 'Bleu de Chanel', false)).toBe(false)
  expect(isSeen(view, 'Sauvage', true)).toBe(false)
})

test('a search ignores accents, case and word order', () => {
  expect(isFound('ANGEL', 'Ángel')).toBe(true)
  expect(isFound('ángel', 'Angel')).toBe(true)
  expect(isFound('nandu', 'Ñandú')).toBe(true)
  expect(isFound('chanel bleu', 'Bleu de Chanel')).toBe(true)
  expect(isFound('n\u0303andu\u0301', 'Ñandú')).toBe(true)
})

test('a search requires every word', () => {
  expect(isFound('bleu dior', 'Bleu de Chanel')).toBe(false)
})

test('a blank search matches everything', () => {
  for (const query of ['', ' ', '\t \n']) expect(isFound(query, 'Bleu')).toBe(true)
})

test('special characters of regular expressions match literally', () => {
  expect(isFound('.*', 'Bleu')).toBe(false)
  expect(isFound('(1)', 'Número (1)')).toBe(true)
})
