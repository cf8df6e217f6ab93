import { expect, it } from 'vitest'
import type { LoadFigures } from '../../../scripts/bench/edge/measure-load.ts'
import { judgeLoad } from '../../../scripts/bench/edge/measure-load.ts'

const GOOD: LoadFigures = {
  saturation: 80,
  half: 40,
  served: Array.from({ length: 20 }, (_, index) => 100 * (index + 1)),
  steady: { rate: 50, changes: 1_500, sellers: 2_000, wrong: 0 },
  doubled: { pages: 6, changed: 0 },
}

it('compares the load with its budgets', () => {
  const { isKept, text } = judgeLoad(GOOD)
  expect(isKept).toBe(true)
  expect(text).toMatch(
    /^ {2}ok {4}saturation: 80 changes a second; at 40 .* p95 1\.90 s \(at most 3\.00 s\)$/m,
  )
})

it.each([
  ['a slow change', { ...GOOD, served: [3_001] }],
  ['a lost change', { ...GOOD, steady: { ...GOOD.steady, wrong: 1 } }],
  ['a page that a second delivery changes', { ...GOOD, doubled: { pages: 6, changed: 1 } }],
])('%s keeps no budget', (_, figures) => {
  const { isKept, text } = judgeLoad(figures)
  expect(isKept).toBe(false)
  expect(text.match(/^ {2}OVER /gm)).toHaveLength(1)
})
