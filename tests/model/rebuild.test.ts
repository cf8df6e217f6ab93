/** A rebuild keeps its promises in random stories. */
import { expect, it } from 'vitest'
import { checkStories } from './rebuild/check-stories.ts'

it('makes the site of a clean build in random stories', async () => {
  await expect(checkStories({ stories: 60, seed: 42 })).resolves.toBeUndefined()
})
