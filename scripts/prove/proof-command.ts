/** What the commands of the proofs have in common: their options, and how a difference is reported. */
import type { Command } from 'commander'
import { Option } from 'commander'
import type { CommandResult, Parsed, Terminal } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { createCountParser } from '../measure/parse-count.ts'
import { Difference } from './difference.ts'
import { SCENARIOS } from './faults/scenarios.ts'

export const parseCount = createCountParser(0, 999_999_999)

/** For an option `--seed`: another one at each call. */
export function chooseSeed(): number {
  return Date.now() % 1_000_000
}

export function addPhotosOption(command: Command): Command {
  return command
    .option('--photos', 'make pictures in every scenario, which takes longer')
    .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished'))
}

export function parsePhotos({ flags }: Pick<Parsed, 'flags'>): boolean {
  return flags['photos'] === true
}

/** `--only <scenario>`. */
export function createScenarioOption(): Option {
  const names = SCENARIOS.map(({ name }) => name)
  return new Option('--only <scenario>', 'run this scenario only').choices(names)
}

/** `prove` returns its figures in words, or throws a `Difference`. `what` tells how to repeat the same run. */
export async function concludeProof(
  { print, progress }: Terminal,
  what: string,
  prove: () => Promise<string>,
): Promise<CommandResult> {
  try {
    const figures = await prove()
    progress.done('')
    print(`no difference: ${figures}${what}`)
    return { exit: EXIT.done }
  } catch (error) {
    if (!(error instanceof Difference)) throw error
    progress.fail(`a difference${what}:\n${error.message}`)
    return { exit: EXIT.attention }
  }
}
