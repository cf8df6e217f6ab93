import { expect, it } from 'vitest'
import { formatEdgeBench } from '../../../scripts/bench/edge/format-edge-bench.ts'
import type { EdgeFigures } from '../../../scripts/bench/edge/measure-edge.ts'

/** Each time takes `ms`; one in ten takes ten times as long. */
function createFigures(sellers: number, ms: number): EdgeFigures {
  const times = [...Array.from({ length: 9 }, () => ms), 10 * ms]
  const all = { changes: times, noticed: times, read: times, cached: times, file: times, switched: times }
  return { sellers, fill: sellers * ms, ...all }
}

it('compares one change and the first page after other code with the budget', () => {
  const { isKept, text } = formatEdgeBench([createFigures(1_000, 10), createFigures(50_000, 13)])
  expect(isKept).toBe(true)
  expect(text).toMatch(/^one change .* p50 +10\.0 ms +13\.0 ms +1\.30 × +at most 1\.3: ok$/m)
  expect(text).toMatch(/^one change .* p95 +100 ms +130 ms +1\.30 ×$/m)
  expect(text).toMatch(/^first fill +100\.0 a second +76\.9 a second/m)
})

it('says which of them grows with the number of sellers', () => {
  const [small, large] = [createFigures(1_000, 10), createFigures(50_000, 10)]
  const { isKept, text } = formatEdgeBench([small, { ...large, switched: [20] }])
  expect(isKept).toBe(false)
  expect(text).toMatch(/^one change .* p50 .* ok$/m)
  expect(text).toMatch(/^first page .* p50 +10\.0 ms +20\.0 ms +2\.00 × +at most 1\.3: over$/m)
})
