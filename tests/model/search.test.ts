/** Random stories around the search index; `npm run prove:search` plays many more. */
import { expect, it } from 'vitest'
import { askHostileQueries } from '../../scripts/prove/search/hostile-queries.ts'
import { findStaleIndex } from '../../scripts/prove/search/play-story.ts'
import { useTemporaryFolder } from '../support/run/temporary.ts'

const path = useTemporaryFolder()

it('the search index equals a newly built one, whatever happens around its feeds', async () => {
  const setup = { edits: 15, folder: path(), figures: { compared: 0 } }
  const options = { count: 2, seed: 17, shrinking: 0, progress: () => {} }
  expect(await findStaleIndex(setup, options)).toBeNull()
  expect(setup.figures.compared).toBeGreaterThan(5)
})

it('a hostile query gets an answer from the index and from the Worker', async () => {
  await expect(askHostileQueries({ queries: 200, seed: 17, limit: Infinity })).resolves.toBeGreaterThan(0)
})
