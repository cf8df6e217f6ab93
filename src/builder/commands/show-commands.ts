/** The program without a command, or with one that there is not: the list of all commands. */
import { Command, CommanderError } from 'commander'
import { EXIT } from './exit-codes.ts'

export interface ListedCommand {
  readonly group: string
  readonly summary: string
}

const HELP = `
Every command has a --help of its own. Under npm: npm run <command> -- [options].`

/** Returns the exit code. */
export function showCommands(
  commands: Readonly<Record<string, ListedCommand>>,
  args: readonly string[],
): number {
  const program = new Command('vitrina')
    .description('Builds, publishes and looks after a storefront of many small sellers.')
    .showSuggestionAfterError()
    .showHelpAfterError('(vitrina --help lists all commands)')
    .addHelpText('after', HELP)
    .exitOverride()
  for (const [name, { group, summary }] of Object.entries(commands))
    program.commandsGroup(`${group}:`).command(name).description(summary).usage('[options]')
  try {
    program.parse(args.length === 0 || args[0] === '' ? ['--help'] : [...args], { from: 'user' })
    return EXIT.usage
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 && args.length > 0 ? EXIT.done : EXIT.usage
  }
}
