/** Plays random stories until a promise of the coordinator is broken, and tells the shortest such story. */
import fc from 'fast-check'
import type { Happening } from './happenings.ts'
import { formatHappening, STORIES } from './happenings.ts'
import { playStory } from './play-story.ts'

export interface CoordinatorStories {
  readonly stories: number
  readonly seed: number
  /** Called now and then with the number played so far. */
  readonly progress: (done: number) => void
}

const OFTEN = 500

/** Returns the story, `null` if every promise was kept. */
export function findBrokenPromise({ stories, seed, progress }: CoordinatorStories): string | null {
  let done = 0
  const property = fc.property(STORIES, (story) => {
    playStory(story)
    done += 1
    if (done % OFTEN === 0) progress(done)
  })
  const result = fc.check(property, { numRuns: stories, seed })
  if (!result.failed) return null
  const [story = []] = result.counterexample ?? []
  return formatStory(story, result.errorInstance)
}

function formatStory(story: readonly Happening[], error: unknown): string {
  const lines = story.map((one, index) => `${index + 1}. ${formatHappening(one)}`)
  return [...lines, error instanceof Error ? error.message : String(error)].join('\n')
}
