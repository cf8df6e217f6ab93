/** Breaks copies of the project in known ways, and checks that each proof which must notice does. */
import { Option } from 'commander'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import type { Proof } from './mutations.ts'
import { MUTATIONS } from './mutations.ts'
import { proveBroken } from './run-proof.ts'

export interface ProveMutationsOptions {
  /** `null` for all. */
  readonly only: Proof | null
}

const PROOFS: readonly Proof[] = ['equivalence', 'crash', 'faults']
const MAX_LINES = 6
const MAX_WIDTH = 160

export const command: CommandDefinition<ProveMutationsOptions> = {
  configure: (parser) =>
    parser
      .addOption(new Option('--only <proof>', 'run this proof only').choices(PROOFS))
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags }) => ({ only: PROOFS.find((proof) => proof === flags['only']) ?? null }),
  run: async ({ only }, { print, progress }) => {
    const pairs = MUTATIONS.flatMap((mutation) => mutation.catchers.map((proof) => ({ mutation, proof })))
    const missed: string[] = []
    for (const { mutation, proof } of pairs.filter((pair) => only === null || pair.proof === only)) {
      progress.update(`${mutation.name}: ${proof}`)
      const { isCaught, words } = await proveBroken(mutation, proof)
      print(`${isCaught ? 'caught' : 'MISSED'} by ${proof}: ${mutation.name}`)
      for (const line of words.split('\n').slice(0, MAX_LINES)) print(`    ${line.slice(0, MAX_WIDTH)}`)
      if (!isCaught) missed.push(`${mutation.name} (${proof})`)
    }
    if (missed.length === 0) progress.done('each mutation is caught')
    else progress.fail(`missed: ${missed.join(', ')}`)
    return { exit: missed.length === 0 ? EXIT.done : EXIT.attention }
  },
}
