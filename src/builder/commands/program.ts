/** The program: lists all commands, runs one, sets the exit code and, with `--json`, prints one object at the end. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError, Help } from 'commander'
import { toError } from '../../domain/documents/errors.ts'
import { ROOT } from '../files/project-folder.ts'
import { UsageError } from '../files/usage-error.ts'
import type { CommandDefinition, Environment, Terminal } from './command.ts'
import { EXIT, findExitCode, listExitCodes } from './exit-codes.ts'
import { loadSettings } from './stage.ts'
import { formatError } from './terminal/format-error.ts'
import { breakCommands, wrapLines } from './terminal/format-lines.ts'
import type { Progress } from './terminal/progress.ts'
import { createProgress } from './terminal/progress.ts'
import { formatJson, watchForVerdict } from './verdict.ts'

interface ListedCommand {
  readonly group: string
  readonly summary: string
  /** Another name of the command. */
  readonly alias?: string
}

type Commands = Readonly<Record<string, ListedCommand>>

/** A command with its module. */
interface LoadedCommand<Options> {
  readonly name: string
  readonly definition: CommandDefinition<Options>
}

const HELP =
  'npx vitrina <command> --help shows the options of a command. docs/data.md lists the settings, and docs/operate.md explains the exit codes.'

/** The fields of every report, which come first. */
const HEAD = { exit: EXIT.done, ms: 0, error: null }

/**
 * Never throws. `args` are the arguments after the program's name. `loaded` is `null` if they begin with no command.
 */
export async function runProgram<Options>(
  commands: Commands,
  loaded: LoadedCommand<Options> | null,
  args: readonly string[],
): Promise<void> {
  const { env } = process
  const isJson = args.includes('--json')
  const progress = createProgress(loaded?.name ?? 'vitrina')
  const readTime = (): { readonly ms: number } => ({ ms: Math.round(performance.now()) })
  const fail = (error: Error): object => {
    const text = formatError(error, env)
    progress.fail(text)
    return { ...HEAD, ...loaded?.definition.blank, ...readTime(), exit: findExitCode(error), error: text }
  }
  const verdict = watchForVerdict({ isJson, onCrash: fail })
  try {
    if (loaded === null) return verdict.give(listCommands(commands, args), {})
    const readEnvironment = (stage: unknown): Environment => {
      loadSettings(stage, env)
      return env
    }
    const options = parseCommand(loaded, args.slice(1), readEnvironment, commands)
    if (options === null) return verdict.give(EXIT.done, {})
    const { run, blank } = loaded.definition
    const { exit, report } = await run(options, createTerminal(progress, isJson))
    progress.done('')
    verdict.give(exit, { ...HEAD, ...blank, ...readTime(), ...report, exit })
  } catch (error) {
    const problem = toError(error)
    verdict.give(findExitCode(problem), fail(problem))
  }
}

/** Returns the exit code after printing the list or the version. Throws a `UsageError` for an unknown command. */
function listCommands(commands: Commands, args: readonly string[]): number {
  parseArguments(createProgram(commands), args.length === 0 ? ['--help'] : args.slice(0, 1))
  return args.length === 0 ? EXIT.usage : EXIT.done
}

/**
 * Returns `null` after printing the help. Throws a `UsageError`. `readEnvironment` gets the value of the option `--env`,
 * and is not called for the help.
 */
export function parseCommand<Options>(
  { name, definition }: LoadedCommand<Options>,
  args: readonly string[],
  readEnvironment: (stage: unknown) => Environment,
  commands: Commands = { [name]: { group: '', summary: '' } },
): Options | null {
  const program = createProgram(commands)
  const command = program.commands.find((one) => one.name() === name || one.alias() === name) ?? program
  definition.configure?.(command)
  if (definition.blank !== undefined) command.option('--json', 'print one JSON object at the end')
  command.addHelpText('after', wrapText(`Exit codes: ${listExitCodes(definition.exits)}`))
  if (!parseArguments(command, args)) return null
  const flags = command.opts()
  return definition.parse({
    flags,
    words: command.processedArgs.flat().filter((word) => word !== undefined),
    environment: readEnvironment(flags['env']),
  })
}

function createProgram(commands: Commands): Command {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const program = new Command('vitrina')
    .usage('<command> [options]')
    .description('Builds, publishes and maintains a storefront of many small sellers.')
    .helpOption('-h, --help', 'show this help')
    .version(version, '-V, --version', 'show the version')
    .helpCommand(false)
    .configureHelp({ minWidthToWrap: 20 })
    .addHelpText('after', wrapText(HELP))
    .configureOutput({ writeErr: () => {} })
    .exitOverride()
  for (const [name, { group, summary, alias }] of Object.entries(commands)) {
    const command = program.commandsGroup(`${group}:`).command(name).description(summary)
    if (alias !== undefined) command.alias(alias)
  }
  return program
}

/** Returns `false` after printing the help or the version. Throws a `UsageError`. */
function parseArguments(command: Command, args: readonly string[]): boolean {
  try {
    command.parse([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return false
    const text = error.message.replace(/^error: /, '').replaceAll('\n', ' ')
    throw new UsageError(`${text}\n(--help shows the options)`, { cause: error })
  }
  // An empty value often comes from an unset variable of the shell. An empty `--env` would be the site of production.
  const empty = command.options.find((one) => command.getOptionValue(one.attributeName()) === '')
  if (empty === undefined) return true
  throw new UsageError(`option '${empty.flags}' was given an empty value: give it a value, or leave it out`)
}

/** Breaks a text into lines as commander does with its own. */
function wrapText(text: string): string {
  return `\n${new Help().boxWrap(text, process.stdout.columns || 80)}`
}

/**
 * Time in which repeats of a signal are ignored, in milliseconds. npm passes Ctrl-C on to a process that already got it
 * from the terminal, and the repeat must not end the clean-up. A later repeat ends the process.
 */
const REPEATS = 1_000

export function createTerminal(progress: Progress, isJson: boolean): Terminal {
  const prepare = (line: string): string => {
    progress.done('')
    return wrapLines(breakCommands(line), process.stdout.columns || Infinity)
  }
  return {
    print: (line) => (isJson ? console.error : console.log)(prepare(line)),
    warn: (line) => console.error(prepare(line)),
    report: (report) => {
      if (isJson) console.log(formatJson(report))
    },
    progress,
    listenForEnd: () => {
      const end = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        const listen = (): void => {
          end.abort()
          setTimeout(() => process.off(signal, listen), REPEATS).unref()
        }
        process.on(signal, listen)
      }
      return end.signal
    },
  }
}
