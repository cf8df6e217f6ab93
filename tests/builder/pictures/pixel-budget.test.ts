import { describe, expect, it } from 'vitest'
import { createPixelBudget } from '../../../src/builder/pictures/pixel-budget.ts'

/** Runs photos of these sizes. Returns the largest numbers of pixels and of photos in work at once, and the order. */
async function run(most: { pixels: number; width: number }, sizes: readonly number[]) {
  const limit = createPixelBudget(most)
  const held = { pixels: 0, width: 0 }
  const peak = { pixels: 0, width: 0 }
  const order: number[] = []
  const results = await Promise.allSettled(
    sizes.map((size) =>
      limit(size, async () => {
        order.push(size)
        held.pixels += size
        held.width += 1
        peak.pixels = Math.max(peak.pixels, held.pixels)
        peak.width = Math.max(peak.width, held.width)
        for (let turn = 0; turn < size % 5; turn += 1) await Promise.resolve()
        held.pixels -= size
        held.width -= 1
        if (size === 13) throw new Error('cannot be decoded')
        return size
      }),
    ),
  )
  return { peak, order, results }
}

describe('the pixels in work', () => {
  it('never exceed the budget, nor their photos the processors', async () => {
    const sizes = [62, 62, 12, 12, 12, 13, 12, 12, 4, 62, 1, 1, 1, 1, 1, 1]
    const { peak, order } = await run({ pixels: 64, width: 4 }, sizes)
    expect(peak).toEqual({ pixels: 64, width: 4 })
    expect(order).toEqual(sizes)
  })

  it('are those of one photo alone if it exceeds the budget', async () => {
    const { peak, order } = await run({ pixels: 10, width: 8 }, [4, 100, 4, 4])
    expect(peak.pixels).toBe(100)
    expect(order).toEqual([4, 100, 4, 4])
  })

  it('are free again after a failure', async () => {
    const { results } = await run({ pixels: 13, width: 1 }, [13, 13, 5])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  })
})
