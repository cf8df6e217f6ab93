/** Plays random stories of data, code and state until one fails. */
import { SEQUENCES } from './arbitraries.ts'
import { findFailingStory } from '../find-failing-story.ts'
import type { Stage } from './model.ts'
import { play } from './play.ts'

export interface EquivalenceOptions {
  readonly sequences: number
  readonly seed: number
  /** Milliseconds to look for a shorter story. */
  readonly shrinking: number
  /** Called after each story with the number played so far. */
  readonly progress: (done: number) => void
}

/** Returns the story of a difference, `null` if there is none. */
export function findDifference(
  stage: Stage,
  { sequences, ...options }: EquivalenceOptions,
): Promise<string | null> {
  return findFailingStory({
    ...options,
    stories: SEQUENCES,
    count: sequences,
    play: (story, tell) => play(story, stage, tell),
  })
}
