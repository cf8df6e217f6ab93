/** Plays random stories until an answer is wrong, and prints the shortest such story. */
import fc from 'fast-check'
import { createStories } from './stories/create-stories.ts'
import type { StoryEdge } from './edge.ts'
import type { EdgeStory } from './stories/happenings.ts'
import { formatEdgeHappening } from './stories/happenings.ts'
import { playEdgeStory } from './play-story.ts'
import { readMessage } from '../../../src/domain/documents/errors.ts'

interface StoryProgress {
  /** Number of stories without a wrong answer. */
  readonly done: number
  /** Number of parts of a story with one that were tried, to find the shortest; 0 until there is one. */
  readonly tried: number
}

export interface EdgeStories {
  readonly stories: number
  readonly seed: number
  /** Max happenings of a story. */
  readonly length: number
  readonly areCrashesCheap: boolean
  /** For one story. */
  readonly openEdge: () => Promise<StoryEdge>
  readonly progress: (state: StoryProgress) => void
}

/** Returns the story, `null` if every answer was right. */
export async function findWrongAnswer(options: EdgeStories): Promise<string | null> {
  const { stories, seed, length, areCrashesCheap, openEdge, progress } = options
  let done = 0
  let tried = 0
  let hasFailed = false
  const property = fc.asyncProperty(createStories(length, areCrashesCheap), async (story) => {
    const edge = await openEdge()
    try {
      await playEdgeStory(story, edge)
      if (!hasFailed) done += 1
    } catch (error) {
      hasFailed = true
      throw error
    } finally {
      if (hasFailed) tried += 1
      progress({ done, tried })
      await edge.close()
    }
  })
  const result = await fc.check(property, { numRuns: stories, seed })
  if (!result.failed) return null
  const [story] = result.counterexample ?? []
  return story === undefined ? String(result.errorInstance) : formatStory(story, result.errorInstance)
}

function formatStory({ isFilled, isShared, isQueued, deaf, happenings }: EdgeStory, error: unknown): string {
  const start = [
    isFilled ? 'the first fill is done' : 'the store is empty',
    isShared ? 'each change is given to one builder' : 'each builder has the log of changes',
    ...(isQueued ? ['the Worker renders changes itself'] : []),
    ...deaf.map((center) => `in ${center} deleting an entry of the cache has no effect`),
  ]
  const lines = happenings.map((one, index) => `${index + 1}. ${formatEdgeHappening(one)}`)
  return [start.join('; '), ...lines, readMessage(error)].join('\n')
}
