/** The bench of sites of objects: the number of sellers that it needs. */
import { expect, it } from 'vitest'
import { measureEdge } from '../../../scripts/bench/edge/measure-edge.ts'

it('refuses a site with fewer sellers than pages that must not be cached', async () => {
  const load = { sellers: 159, step: 0, half: 0, steady: 0 }
  const tools = { folder: '', progress: () => {}, end: AbortSignal.abort(), later: () => {} }
  const measured = measureEdge({ sellers: [200, 159], load }, tools)
  await expect(measured).rejects.toThrow('at least 160 sellers')
})
