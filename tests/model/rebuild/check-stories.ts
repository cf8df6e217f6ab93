/** Plays random stories until one fails. fast-check then looks for a shorter story that fails, too. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { playStory } from './play.ts'
import { STORIES } from './stories.ts'

interface StoryChecks {
  readonly stories: number
  readonly seed: number
  /** Called after each story with the number of stories that have passed. */
  readonly progress?: (done: number) => void
}

/** Rejects with a message that has the shortest failing story. */
export async function checkStories({ stories, seed, progress = () => {} }: StoryChecks): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-stories-'))
  let done = 0
  const property = fc.asyncProperty(STORIES, async (story) => {
    await playStory(story, join(folder, 'story'))
    progress((done += 1))
  })
  try {
    await fc.assert(property, { numRuns: stories, seed })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
