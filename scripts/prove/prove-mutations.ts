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
  /** `null` for a run of a test without any mutation, which must be green: a test that fails anyway proves nothing. */
  readonly mutation: Mutation | null
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
      const name = mutation?.name ?? 'unbroken code'
      progress.update(`${done} of ${trials.length} tried, now: ${name}`)
      const { isCaught, isGreen, words } = await runCatcher(mutation, catcher)
      done += 1
      const isRight = mutation === null ? isGreen : isCaught
      const [right, wrong] = mutation === null ? ['accepted', 'REFUSED'] : ['caught', 'MISSED']
      print(`${isRight ? right : wrong} by ${catcher}: ${name}`)
      if (mutation !== null || !isRight)
        for (const line of words.split('\n').slice(0, MAX_LINES)) print(`    ${line.slice(0, MAX_WIDTH)}`)
      if (!isRight) missed.push(`${name} (${catcher})`)
    })
    if (missed.length === 0) progress.done(`every mutation was caught, in ${trials.length} trials`)
    else progress.fail(`missed or refused: ${missed.join(', ')}`)
    return { exit: missed.length === 0 ? EXIT.done : EXIT.attention }
  },
}

/** Exported for tests. A proof has no control here: it is one itself whenever its own command runs. */
export function listTrials({ only, named = '' }: Partial<ProveMutationsOptions>): readonly Trial[] {
  const findGroup = (catcher: string): string => (isProof(catcher) ? catcher : 'tests')
  const trials = MUTATIONS.filter(({ name }) => name.includes(named))
    .flatMap((mutation) => mutation.catchers.map((catcher) => ({ mutation, catcher })))
    .filter(({ catcher }) => only === undefined || findGroup(catcher) === only)
  const tests = new Set(trials.map(({ catcher }) => catcher).filter((catcher) => !isProof(catcher)))
  return [...Array.from(tests, (catcher) => ({ mutation: null, catcher })), ...trials]
}
