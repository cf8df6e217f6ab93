/** Plays random stories until the index differs from one built anew. */
import type { StoryOptions } from '../find-failing-story.ts'
import { findFailingStory } from '../find-failing-story.ts'
import { AssetsLane } from './assets-lane.ts'
import type { SearchHappening, StoryLane } from './happenings.ts'
import { createSearchStories, formatSearchHappening } from './happenings.ts'
import { ObjectsLane } from './objects-lane.ts'
import { playSearchStory } from './play-story.ts'

export interface SearchStories extends Omit<StoryOptions, 'progress'> {
  readonly lane: StoryLane
  readonly edits: number
  /** For the states of machines; its files are replaced. */
  readonly folder: string
  /** Called after each story with the number played so far, and of comparisons. */
  readonly progress: (done: number, compared: number) => void
}

const STORY_LANES = { assets: AssetsLane, objects: ObjectsLane } as const

/** Each story has a seed of its own. Returns the story, `null` if the index was always right. */
export async function findStaleIndex(options: SearchStories): Promise<string | null> {
  const { lane, edits, folder, count, seed, shrinking, progress } = options
  let compared = 0
  const play = async (story: readonly SearchHappening[], tell: (line: string) => void): Promise<void> => {
    for (const [index, one] of story.entries()) tell(`${index + 1}. ${formatSearchHappening(one)}`)
    compared += await playSearchStory(story, new STORY_LANES[lane]({ folder }))
  }
  for (let done = 0; done < count; done += 1) {
    const one = { count: 1, seed: seed + done, shrinking, progress: () => progress(done + 1, compared) }
    const story = await findFailingStory(createSearchStories(lane, edits), play, one)
    if (story !== null) return story
  }
  return null
}
