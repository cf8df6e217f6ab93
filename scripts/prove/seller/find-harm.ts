/** Plays random stories of hostile sellers until one of them harms another seller. */
import { findFailingStory } from '../find-failing-story.ts'
import type { Stage } from '../equivalence/model.ts'
import { playSeller } from './play-story.ts'
import { createSellerStories } from './stories.ts'

export interface HarmOptions {
  readonly runs: number
  readonly seed: number
  /** One story in so many has more products than any bound lets through. */
  readonly large: number
  /** Milliseconds to look for a shorter story. */
  readonly shrinking: number
  /** Called after each story with the number played so far. */
  readonly progress: (done: number) => void
}

/** Returns the story, `null` if there is none. */
export function findHarm(stage: Stage, { runs, large, ...options }: HarmOptions): Promise<string | null> {
  return findFailingStory({
    ...options,
    stories: createSellerStories(large),
    count: runs,
    play: (story, tell) => playSeller(story, stage, tell),
  })
}
