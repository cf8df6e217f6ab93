/** Plays random stories until a promise of the coordinator is broken, and prints the shortest such story. */
import fc from 'fast-check'
import { CHANGE_STORIES } from './changes/change-happenings.ts'
import { playChangeStory } from './changes/play-change-story.ts'
import { COORDINATOR_STORIES } from './happenings.ts'
import { playCoordinatorStory } from './play-story.ts'
import { readMessage } from '../../../src/domain/documents/errors.ts'

export interface CoordinatorStories {
  /** Number of stories of each kind: around builders and publishing, and of changes that the Worker renders itself. */
  readonly stories: number
  readonly seed: number
  /** Called now and then with the number played so far. */
  readonly progress: (done: number) => void
}

interface Kind<Happening> {
  readonly stories: fc.Arbitrary<readonly Happening[]>
  readonly play: (story: readonly Happening[]) => void
}

const OFTEN = 500

/** Returns the story, `null` if every promise was kept. */
export function findBrokenPromise({ stories, seed, progress }: CoordinatorStories): string | null {
  let done = 0
  const tell = (): void => {
    done += 1
    if (done % OFTEN === 0) progress(done)
  }
  const find = <Happening extends object>({ stories: all, play }: Kind<Happening>): string | null => {
    const property = fc.property(all, (story) => {
      play(story)
      tell()
    })
    const result = fc.check(property, { numRuns: stories, seed })
    if (!result.failed) return null
    const [story = []] = result.counterexample ?? []
    return formatStory(story, result.errorInstance)
  }
  return (
    find({ stories: COORDINATOR_STORIES, play: playCoordinatorStory }) ??
    find({ stories: CHANGE_STORIES, play: playChangeStory })
  )
}

function formatStory(story: readonly object[], error: unknown): string {
  const lines = story.map((one, index) => `${index + 1}. ${formatHappening(one)}`)
  return [...lines, readMessage(error)].join('\n')
}

/** One line for people. */
function formatHappening(happening: object): string {
  return Object.entries(happening)
    .map(([key, value]) => (key === 'kind' ? String(value) : `${key} ${JSON.stringify(value)}`))
    .join(', ')
}
