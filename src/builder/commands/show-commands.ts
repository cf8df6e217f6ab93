/** Prints the list of all commands, the version, or the error of an unknown command. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { ROOT } from '../files/project-folder.ts'
import { EXIT } from './exit-codes.ts'

interface ListedCommand {
  readonly group: string
  readonly summary: string
}

const HELP = `
vitrina <command> --help shows the options of a command.
npx vitrina <command> [options] runs any command; npm run <command> -- [options] runs those in package.json.
docs/data.md lists the settings, and docs/operate.md explains the exit codes.`

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  return version
}

/** Returns the exit code. `args` contains the program's first argument, or is empty if there is none. */
export function showCommands(
  commands: Readonly<Record<string, ListedCommand>>,
  args: readonly string[],
): number {
  const program = new Command('vitrina')
    .usage('<command> [options]')
    .description('Builds, publishes and maintains a storefront of many small sellers.')
    .helpOption('-h, --help', 'show this help')
    .version(readVersion(), '-V, --version', 'show the version')
    .helpCommand(false)
    .showSuggestionAfterError()
    .showHelpAfterError('(vitrina --help lists all commands)')
    .addHelpText('after', HELP)
    .exitOverride()
  for (const [name, { group, summary }] of Object.entries(commands))
    program.commandsGroup(`${group}:`).command(name).description(summary)
  try {
    program.parse(args.length === 0 ? ['--help'] : [...args], { from: 'user' })
    return EXIT.usage
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 && args.length > 0 ? EXIT.done : EXIT.usage
  }
}
