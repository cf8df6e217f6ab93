/** Plays random stories until one fails, and describes the shortest that fails. */
import fc from 'fast-check'
import { SEQUENCES } from './arbitraries.ts'
import type { Stage } from './model.ts'
import { play } from './play.ts'
import type { Sequence } from './sequence.ts'

export interface EquivalenceOptions {
  readonly sequences: number
  readonly seed: number
  /** Milliseconds to look for a shorter story. */
  readonly shrinking: number
  /** Called after each story with the number played so far. */
  readonly progress: (done: number) => void
}

/** Returns the story of a difference, `null` if there is none. */
export async function findDifference(
  stage: Stage,
  { sequences, seed, shrinking, progress }: EquivalenceOptions,
): Promise<string | null> {
  let done = 0
  let deadline = Infinity
  const property = fc.asyncProperty(SEQUENCES, async (story) => {
    if (performance.now() > deadline) return
    try {
      await play(story, stage, () => {})
      if (deadline === Infinity) progress((done += 1))
    } catch (error) {
      if (deadline === Infinity) deadline = performance.now() + shrinking
      throw error
    }
  })
  const result = await fc.check(property, { numRuns: sequences, seed })
  if (!result.failed) return null
  const story = result.counterexample?.[0]
  const error = formatError(result.errorInstance)
  return story === undefined ? error : replayStory(story, stage, error)
}

/** `error` is the difference of the first play. */
async function replayStory(story: Sequence, stage: Stage, error: string): Promise<string> {
  const lines: string[] = []
  try {
    await play(story, stage, (line) => lines.push(line))
    return [...lines, 'It did not fail again. The first time:', error].join('\n')
  } catch (again) {
    return [...lines, formatError(again)].join('\n')
  }
}

function formatError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
