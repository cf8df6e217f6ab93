/** Plays random stories until the index differs from one built anew, and tells the shortest such story that is found. */
import fc from 'fast-check'
import { AssetsLane } from './assets-lane.ts'
import type { StoryLane } from './create-stories.ts'
import { createStories } from './create-stories.ts'
import type { Happening } from './happenings.ts'
import { formatHappening } from './happenings.ts'
import { ObjectsLane } from './objects-lane.ts'
import { playStory } from './play-story.ts'
import { readMessage } from '../../../src/domain/documents/errors.ts'

export interface SearchStories {
  readonly lane: StoryLane
  readonly stories: number
  readonly edits: number
  readonly seed: number
  /** Milliseconds to look for a shorter story. */
  readonly shrinking: number
  /** For the states of machines; its files are replaced. */
  readonly folder: string
  /** Called after each story with the number played so far, and of comparisons. */
  readonly progress: (done: number, compared: number) => void
}

type Played = Pick<SearchStories, 'lane' | 'folder'>

const LANES = { assets: AssetsLane, objects: ObjectsLane } as const

/** Returns the story, `null` if the index was always right. */
export async function findStaleIndex(options: SearchStories): Promise<string | null> {
  const { lane, stories, edits, seed, shrinking, progress } = options
  let compared = 0
  for (let done = 0; done < stories; done += 1) {
    const [story = []] = fc.sample(createStories(lane, edits), { seed: seed + done, numRuns: 1 })
    const played = await play(story, options)
    if (typeof played !== 'number') return shorten(story, options, performance.now() + shrinking)
    compared += played
    progress(done + 1, compared)
  }
  return null
}

/** Leaves out parts, half of the story first, as long as it still fails. */
async function shorten(story: readonly Happening[], options: Played, deadline: number): Promise<string> {
  let shortest = story
  for (let size = story.length >> 1; size >= 1; size >>= 1)
    for (let from = 0; from < shortest.length && performance.now() < deadline;) {
      const shorter = shortest.toSpliced(from, size)
      if (typeof (await play(shorter, options)) === 'number') from += size
      else shortest = shorter
    }
  return formatStory(shortest, await play(shortest, options))
}

/** Returns the number of comparisons, or what went wrong. */
async function play(story: readonly Happening[], { lane, folder }: Played): Promise<unknown> {
  try {
    return await playStory(story, new LANES[lane]({ folder }))
  } catch (error) {
    return error
  }
}

function formatStory(story: readonly Happening[], error: unknown): string {
  const lines = story.map((one, index) => `${index + 1}. ${formatHappening(one)}`)
  return [...lines, readMessage(error)].join('\n')
}
