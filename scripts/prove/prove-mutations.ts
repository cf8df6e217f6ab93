/**
 * Breaks copies of the project by known mutations, and checks that the proofs and tests listed for each mutation detect
 * it.
 */
import { Option } from 'commander'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { inLanes } from '../../src/domain/work/batches.ts'
import type { Mutation } from './mutations/mutation.ts'
import { MUTATIONS, PROOFS } from './mutations/mutation.ts'
import { isProof, runCatcher } from './mutations/run-catcher.ts'

interface ProveMutationsOptions {
  /** A proof, or `tests`; `undefined` for all catchers. */
  readonly only: string | undefined
  /** Only mutations whose name contains this text are tried; `undefined` for all mutations. */
  readonly named: string | undefined
}

/** Max trials that run at the same time. */
const WIDTH = 2
const MAX_LINES = 4
const MAX_WIDTH = 160

interface Trial {
  readonly mutation: Mutation
  readonly catcher: string
}

export const command: CommandDefinition<ProveMutationsOptions> = {
  configure: (parser) =>
    parser
      .addOption(
        new Option('--only <catcher>', 'run only this proof, or only the tests').choices([
          ...PROOFS,
          'tests',
        ]),
      )
      .option('--named <text>', 'try only the mutations with this text in their name')
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags }) => flags as unknown as ProveMutationsOptions,
  run: async (options, { print, progress }) => {
    const trials = listTrials(options)
    const missed: string[] = []
    let done = 0
    await inLanes(trials, WIDTH, async ({ mutation, catcher }) => {
      progress.update(`${done} of ${trials.length} tried, now: ${mutation.name}`)
      const { isCaught, words } = await runCatcher(mutation, catcher)
      done += 1
      print(`${isCaught ? 'caught' : 'MISSED'} by ${catcher}: ${mutation.name}`)
      for (const line of words.split('\n').slice(0, MAX_LINES)) print(`    ${line.slice(0, MAX_WIDTH)}`)
      if (!isCaught) missed.push(`${mutation.name} (${catcher})`)
    })
    if (missed.length === 0) progress.done(`every mutation was caught in all ${trials.length} trials`)
    else progress.fail(`missed: ${missed.join(', ')}`)
    return { exit: missed.length === 0 ? EXIT.done : EXIT.attention }
  },
}

function listTrials({ only, named = '' }: ProveMutationsOptions): readonly Trial[] {
  const findGroup = (catcher: string): string => (isProof(catcher) ? catcher : 'tests')
  return MUTATIONS.filter(({ name }) => name.includes(named))
    .flatMap((mutation) => mutation.catchers.map((catcher) => ({ mutation, catcher })))
    .filter(({ catcher }) => only === undefined || findGroup(catcher) === only)
}
