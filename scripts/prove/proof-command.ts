/** Creates the commands of the proofs: their common options, and the report of a difference. */
import type { Command } from 'commander'
import type { CommandDefinition, CommandResult, Terminal } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatRate } from '../measure/format-figures.ts'
import { createCountParser } from '../measure/parse-count.ts'
import { Difference } from './difference.ts'
import type { StoryOptions } from './find-failing-story.ts'

interface ProofCommand<Options> {
  /** Adds the proof's options. Their names are the keys of `Options`. */
  readonly configure: (parser: Command) => Command
  /**
   * Name of the random values that the seed determines, for the help text; `null` for a proof without the option
   * `--seed`.
   */
  readonly seeded: string | null
  /** Returns the figures of the proof in words, or throws a `Difference`. */
  readonly prove: (options: Options, progress: (text: string) => void) => Promise<string>
}

export const parseCount = createCountParser(0, 999_999_999)

export function createProof<Options extends object>({
  configure,
  seeded,
  prove,
}: ProofCommand<Options>): CommandDefinition<Options> {
  return {
    configure: (parser) => {
      const own = configure(parser)
      const seed = Date.now() % 1_000_000
      if (seeded !== null)
        own.option('--seed <n>', `the same seed gives the same ${seeded}`, parseCount, seed)
      own.addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished'))
    },
    parse: ({ flags }) => flags as unknown as Options,
    run: (options, terminal) => {
      const again = 'seed' in options ? ` (seed ${String(options.seed)})` : ''
      return conclude(terminal, again, (progress) => prove(options, progress))
    },
  }
}

async function conclude(
  { print, progress }: Terminal,
  again: string,
  prove: (progress: (text: string) => void) => Promise<string>,
): Promise<CommandResult> {
  try {
    const figures = await prove(progress.update)
    progress.done('')
    print(`no difference: ${figures}${again}`)
    return { exit: EXIT.done }
  } catch (error) {
    if (!(error instanceof Difference)) throw error
    progress.fail(`a difference${again}:\n${error.message}`)
    return { exit: EXIT.attention }
  }
}

interface StoryCommand<Options> {
  /** Name of the option for the number of stories, and its default. */
  readonly stories: readonly [name: string, count: number]
  readonly seeded?: string
  /** Adds further options. */
  readonly configure?: (parser: Command) => Command
  /** Returns the figures of the proof in words. */
  readonly prove: (options: Options & { readonly seed: number }, tools: StoryTools) => Promise<string>
}

interface StoryTools {
  readonly progress: (text: string) => void
  /**
   * Calls `find` to play the stories. Returns their number and rate in words. Throws a `Difference` if `find` returns a
   * story that failed.
   */
  readonly play: (what: string, find: (options: StoryOptions) => Promise<string | null>) => Promise<string>
}

/** Creates the command of a proof that plays random stories. If a story fails, the command looks for a shorter one. */
export function createStoryProof<Options extends object = object>({
  stories: [name, usual],
  seeded = name,
  configure = (parser) => parser,
  prove,
}: StoryCommand<Options>): CommandDefinition<Options & StoryProof> {
  return createProof<Options & StoryProof>({
    configure: (parser) =>
      configure(parser.option(`--${name} <n>`, `number of random ${name}`, parseCount, usual)).option(
        '--shrink <seconds>',
        'time to look for a shorter story that shows the same difference',
        parseCount,
        90,
      ),
    seeded,
    prove: (options, progress) => {
      const count = (options as Readonly<Record<string, unknown>>)[name] as number
      const { seed, shrink } = options
      const play: StoryTools['play'] = async (what, find) => {
        const start = performance.now()
        const format = (done: number): string =>
          `${done} of ${count} ${what}, ${formatRate(done, performance.now() - start)}`
        const shrinking = shrink * 1_000
        const story = await find({ count, seed, shrinking, progress: (done) => progress(format(done)) })
        if (story !== null) throw new Difference(story)
        return format(count)
      }
      return prove(options, { progress, play })
    },
  })
}

interface StoryProof {
  readonly seed: number
  /** Seconds to look for a shorter story that fails. */
  readonly shrink: number
}
