/** Plays random stories until one fails, then looks for a shorter story that fails too, and describes the shortest. */
import fc from 'fast-check'

export interface StoryOptions {
  /** Max stories to play. */
  readonly count: number
  readonly seed: number
  /** Milliseconds to look for a shorter story. */
  readonly shrinking: number
  /** Called after each story that passes, until one fails, with the number of stories that have passed. */
  readonly progress: (done: number) => void
}

/** Plays a story. Calls `report` with a description of each step. Throws if a check fails. */
type PlayStory<Story> = (story: Story, report: (line: string) => void) => void | Promise<void>

/** Returns the shortest failing story that is found, in words; `null` if no story fails. */
export async function findFailingStory<Story>(
  stories: fc.Arbitrary<Story>,
  play: PlayStory<Story>,
  { count, seed, shrinking, progress }: StoryOptions,
): Promise<string | null> {
  let done = 0
  let deadline = Infinity
  const property = fc.asyncProperty(stories, async (story) => {
    if (performance.now() > deadline) return
    try {
      await play(story, () => {})
      if (deadline === Infinity) progress((done += 1))
    } catch (error) {
      if (deadline === Infinity) deadline = performance.now() + shrinking
      throw error
    }
  })
  const result = await fc.check(property, { numRuns: count, seed })
  if (!result.failed) return null
  const [story] = result.counterexample ?? []
  const error = formatError(result.errorInstance)
  return story === undefined ? error : replayStory(story, play, error)
}

/**
 * Plays the story again to describe its steps. `error`: message of the earlier failure, reported if the story passes
 * now.
 */
async function replayStory<Story>(story: Story, play: PlayStory<Story>, error: string): Promise<string> {
  const lines: string[] = []
  try {
    await play(story, (line) => lines.push(line))
    return [...lines, 'The story did not fail when replayed. Its earlier failure:', error].join('\n')
  } catch (again) {
    return [...lines, formatError(again)].join('\n')
  }
}

function formatError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Describes each happening of a story in one line. */
export function reportHappenings(
  happenings: readonly { readonly kind: string }[],
  tell: (line: string) => void,
): void {
  for (const [index, { kind, ...details }] of happenings.entries()) {
    const words = Object.entries(details).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
    tell(`${index + 1}. ${[kind, ...words].join(', ')}`)
  }
}
