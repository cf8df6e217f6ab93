/** Creates the commands of the proofs that play random stories: their common options, and the report of a failure. */
import type { Command } from 'commander'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatRate } from '../measure/format-figures.ts'
import { createCountParser } from '../measure/parse-count.ts'
import { Difference } from './difference.ts'
import type { StoryOptions } from './find-failing-story.ts'

interface StoryProof {
  readonly stories: number
  readonly seed: number
  /** Seconds to look for a shorter story that fails. */
  readonly shrink: number
}

/**
 * Calls `find` to play the stories. Returns their number and rate in words. Throws a `Difference` if `find` returns a
 * story that failed.
 */
type PlayStories = (find: (options: StoryOptions) => Promise<string | null>) => Promise<string>

interface StoryCommand<Options> {
  /** Default number of stories. */
  readonly stories: number
  /** Adds further options. */
  readonly configure?: (parser: Command) => Command
  /** Returns the figures of the proof in words, or throws a `Difference`. */
  readonly prove: (options: Options & StoryProof, play: PlayStories) => Promise<string>
}

export const parseCount = createCountParser(0, 999_999_999)

export function createStoryProof<Options extends object = object>({
  stories: usual,
  configure = (parser) => parser,
  prove,
}: StoryCommand<Options>): CommandDefinition<Options & StoryProof> {
  return {
    configure: (parser) => {
      configure(parser.option('--stories <n>', 'number of random stories', parseCount, usual))
        .option('--shrink <seconds>', 'time to look for a shorter story that fails', parseCount, 90)
        .option('--seed <n>', 'the same seed gives the same stories', parseCount, Date.now() % 1_000_000)
        .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished'))
    },
    parse: ({ flags }) => flags as unknown as Options & StoryProof,
    run: async (options, { print, progress }) => {
      const { stories: count, seed, shrink } = options
      const play: PlayStories = async (find) => {
        const start = performance.now()
        const format = (done: number): string =>
          `${done} of ${count} stories, ${formatRate(done, performance.now() - start)}`
        const tell = (done: number): void => progress.update(format(done))
        const story = await find({ count, seed, shrinking: shrink * 1_000, progress: tell })
        if (story !== null) throw new Difference(story)
        return format(count)
      }
      try {
        const figures = await prove(options, play)
        progress.done('')
        print(`no difference: ${figures} (seed ${seed})`)
        return { exit: EXIT.done }
      } catch (error) {
        if (!(error instanceof Difference)) throw error
        progress.fail(`a difference (seed ${seed}):\n${error.message}`)
        return { exit: EXIT.attention }
      }
    },
  }
}
