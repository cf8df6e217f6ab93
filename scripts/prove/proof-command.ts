/** Shared by the commands of the proofs: their options, and the report of a difference. */
import type { Command } from 'commander'
import type { CommandDefinition, CommandResult, Terminal } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatRate } from '../measure/format-figures.ts'
import { createCountParser } from '../measure/parse-count.ts'
import { Difference } from './difference.ts'
import type { StoryOptions } from './find-failing-story.ts'

interface ProofCommand<Options> {
  /** Adds its options, whose names are those of `Options`. */
  readonly configure: (parser: Command) => Command
  /** The unit that a seed determines; `null` for a proof without an option `--seed`. */
  readonly seeded: string | null
  /** Returns its figures in words, or throws a `Difference`. */
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

/** Options of a proof that plays stories: their number, the seed, and the seconds to look for a shorter one. */
export interface StoryProof {
  readonly count: number
  readonly seed: number
  readonly shrink: number
}

export function addShrinkOption(parser: Command): Command {
  return parser.option(
    '--shrink <seconds>',
    'time to look for a shorter story of a difference',
    parseCount,
    90,
  )
}

/** Returns how many stories were played, in words. Throws a `Difference` for the story that `find` returns. */
export async function proveStories(
  what: string,
  { count, seed, shrink }: StoryProof,
  progress: (text: string) => void,
  find: (options: StoryOptions) => Promise<string | null>,
): Promise<string> {
  const start = performance.now()
  const format = (done: number): string =>
    `${done} of ${count} ${what}, ${formatRate(done, performance.now() - start)}`
  const shrinking = shrink * 1_000
  const story = await find({ count, seed, shrinking, progress: (done) => progress(format(done)) })
  if (story !== null) throw new Difference(story)
  return format(count)
}
