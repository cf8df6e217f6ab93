/** A little of the proof of stored pages, without the runtime; `npm run prove:edge` does much more of the same on it. */
import { expect, it } from 'vitest'
import { openEdgeInMemory } from '../../../scripts/prove/edge/memory/edge-in-memory.ts'
import { findWrongAnswer } from '../../../scripts/prove/edge/play-story.ts'

it('every address answers what a clean build holds, after anything that happens around the objects', async () => {
  const setup = { length: 60, areCrashesCheap: true, openEdge: openEdgeInMemory }
  const options = { count: 10, seed: 42, shrinking: 10_000, progress: () => {} }
  expect(await findWrongAnswer(setup, options)).toBeNull()
})
