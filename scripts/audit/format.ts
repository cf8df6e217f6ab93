/** `format`: mends the format, and what lint can mend. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { OXLINT, PRETTIER, runNode } from '../../src/builder/commands/run-node.ts'

export const command: CommandDefinition<object> = {
  configure: (parser) => void parser.addHelpText('after', formatExitCodes('done', 'attention')),
  parse: () => ({}),
  // One after the other: both write the same files.
  run: async () => {
    const formatted = await runNode([PRETTIER, '--write', '--log-level', 'warn', '.'])
    const linted = await runNode([OXLINT, '--fix'])
    return { exit: formatted === 0 && linted === 0 ? EXIT.done : EXIT.attention }
  },
}
