/** A little of the proof of the search index; `npx vitrina prove:search` does much more of the same. */
import { expect, it } from 'vitest'
import { findStaleIndex } from '../../../scripts/prove/search/play-story.ts'
import { askHostileQueries } from '../../../scripts/prove/search/hostile-queries.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

it.each(['assets', 'objects'] as const)(
  'lane %s: the index is the one that is built anew, whatever happens around its feeds',
  async (lane) => {
    const setup = { lane, edits: 15, folder: path(), figures: { compared: 0 } }
    const options = { count: 2, seed: 17, shrinking: 0, progress: () => {} }
    expect(await findStaleIndex(setup, options)).toBeNull()
    expect(setup.figures.compared).toBeGreaterThan(5)
  },
)

it('a hostile query gets an answer, at the index and at the door', async () => {
  await expect(askHostileQueries({ queries: 200, seed: 17, limit: Infinity })).resolves.toBeGreaterThan(0)
})
