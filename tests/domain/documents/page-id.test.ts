import { expect, test } from 'vitest'
import { findIdProblem } from '../../../src/domain/documents/page-id.ts'

test('ordinary and unusual ids have a page', () => {
  const ordinary = ['1', 'Vh2kX9', 'ana', 'Ana', 'perfumería', 'a b']
  const odd = [' ', 'a%2Fb', '"', '<script>', '😀', '...', '-', '__proto__', 'constructor']
  const names = ['con', 'node_modules_', '.gitt', '404a', 'index.js', '4 04']
  for (const id of [...ordinary, ...odd, ...names]) expect([id, findIdProblem(id)]).toEqual([id, null])
})

test('an empty id has no page', () => {
  expect(findIdProblem('')).toMatch(/empty/)
})

test('addresses of the site itself are refused', () => {
  for (const id of ['404', 'index', '.', '..']) expect(findIdProblem(id)).toMatch(/address of the site/)
})

test('no id is a folder that the deploy tool skips', () => {
  for (const id of ['node_modules', '.git', '.DS_Store']) expect(findIdProblem(id)).toMatch(/deploy tool/)
})

test('no id leads out of its folder', () => {
  for (const id of ['a/b', '/', '../x', 'a\\b', '..\\x']) expect(findIdProblem(id)).toMatch(/slash/)
})

test('an id with a control character is refused', () => {
  for (const id of ['a\u0000', '\n', 'a\u007f', '\u009b31m', 'a\tb'])
    expect(findIdProblem(id)).toMatch(/control/)
})

test('an id with an invisible character is refused', () => {
  for (const id of ['ana\u200b', '\u200eana', 'a\u00adna', '\u3164', 'ana\u{e0041}', '\u2800', 'a\ufe0f'])
    expect(findIdProblem(id)).toMatch(/invisible characters/)
})

test('wide forms of usual characters are refused: such an id looks like that of another seller', () => {
  for (const id of ['１', 'ａna', 'ana\u3000', 'ana－2']) expect(findIdProblem(id)).toMatch(/full-width/)
  expect(findIdProblem('香水')).toBeNull()
})

test('only the composed form of an accent has a page', () => {
  expect(findIdProblem('perfumer\u00eda')).toBeNull()
  expect(findIdProblem('perfumeri\u0301a')).toMatch(/NFC/)
})

test('an id with an unpaired surrogate is refused', () => {
  for (const id of ['\ud83d', 'a\ude00', '\ude00\ud83d']) expect(findIdProblem(id)).toMatch(/surrogate/)
})

test('an id that ends like a file of the site is refused', () => {
  for (const id of ['a.html', 'a.HTML', 'a.htm', '.html'])
    expect(findIdProblem(id)).toMatch(/file of the site/)
})

test('the length of a file name is counted in bytes, including the suffix', () => {
  for (const id of ['a'.repeat(250), 'ñ'.repeat(125)]) expect(findIdProblem(id)).toBeNull()
  for (const id of ['a'.repeat(251), 'ñ'.repeat(126), '😀'.repeat(63), 'a'.repeat(1_000_000)])
    expect(findIdProblem(id)).toMatch(/too long/)
})
