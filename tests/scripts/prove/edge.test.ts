/** A little of the proof of stored pages, without the runtime; `npm run prove:edge` does much more of the same on it. */
import { expect, it } from 'vitest'
import { openEdgeInMemory } from '../../../scripts/prove/edge/memory/edge-in-memory.ts'
import { findWrongAnswer } from '../../../scripts/prove/edge/find-wrong-answer.ts'

it('every address answers what a clean build holds, whatever happens around the objects', async () => {
  const options = { seed: 42, length: 60, areCrashesCheap: true, progress: () => {} }
  expect(await findWrongAnswer({ ...options, stories: 20, openEdge: openEdgeInMemory })).toBeNull()
})
