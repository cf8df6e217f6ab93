/** Random stories around the coordinator; `npm run prove:coordinator` plays many more. */
import { expect, it } from 'vitest'
import { findBrokenPromise } from '../../scripts/prove/coordinator/play-story.ts'

it('the coordinator loses nothing that was announced, and lets nothing older go live', async () => {
  const options = { count: 50, seed: 42, shrinking: 10_000, progress: () => {} }
  expect(await findBrokenPromise(options)).toBeNull()
})
