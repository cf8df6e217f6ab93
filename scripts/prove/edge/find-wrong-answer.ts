/** Plays random stories until an answer is wrong, and tells the shortest such story. */
import fc from 'fast-check'
import { createStories } from './create-stories.ts'
import type { StoryEdge } from './edge.ts'
import type { Story } from './happenings.ts'
import { formatHappening } from './happenings.ts'
import { playStory } from './play-story.ts'

export interface EdgeStories {
  readonly stories: number
  readonly seed: number
  /** Max happenings of a story. */
  readonly length: number
  readonly areCrashesCheap: boolean
  /** For one story. */
  readonly openEdge: () => Promise<StoryEdge>
  /** Called with the number played so far. */
  readonly progress: (done: number) => void
}

/** Returns the story, `null` if every answer was right. */
export async function findWrongAnswer(options: EdgeStories): Promise<string | null> {
  const { stories, seed, length, areCrashesCheap, openEdge, progress } = options
  let done = 0
  const property = fc.asyncProperty(createStories(length, areCrashesCheap), async (story) => {
    const edge = await openEdge()
    try {
      await playStory(story, edge)
    } finally {
      await edge.close()
    }
    done += 1
    progress(done)
  })
  const result = await fc.check(property, { numRuns: stories, seed })
  if (!result.failed) return null
  const [story] = result.counterexample ?? []
  return story === undefined ? String(result.errorInstance) : formatStory(story, result.errorInstance)
}

function formatStory({ isFilled, isShared, deaf, happenings }: Story, error: unknown): string {
  const start = [
    isFilled ? 'the first fill is done' : 'the store is empty',
    isShared ? 'each change is given to one builder' : 'each builder has the log of changes',
    ...deaf.map((center) => `in ${center} deleting an entry of the cache has no effect`),
  ]
  const lines = happenings.map((one, index) => `${index + 1}. ${formatHappening(one)}`)
  return [start.join('; '), ...lines, error instanceof Error ? error.message : String(error)].join('\n')
}
