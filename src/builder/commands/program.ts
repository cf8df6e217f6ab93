/**
 * The program: lists all commands or runs one. The process ends with one of the codes in `EXIT`, unless a signal ends
 * it, and with `--json` its last line is one object.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { toError } from '../../domain/documents/errors.ts'
import { ROOT } from '../files/project-folder.ts'
import { UsageError } from '../files/usage-error.ts'
import type { CommandDefinition, Environment, Terminal } from './command.ts'
import { EXIT, findExitCode } from './exit-codes.ts'
import { loadSettings } from './stage.ts'
import { formatError } from './terminal/format-error.ts'
import { wrapText } from './terminal/format-lines.ts'
import type { Progress } from './terminal/progress.ts'
import { createProgress } from './terminal/progress.ts'

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

const DESCRIPTION = `Builds, publishes and maintains a storefront of many small sellers.

npx vitrina <command> --help shows the options of a command. docs/data.md lists the settings, and docs/operate.md \
explains the exit codes.`

const NEVER_ENDED =
  'the command ended early, because it waited for an answer that can no longer arrive. Run again: the next run repairs what this one left unfinished.'

/** A process that a signal ends has a code above this one. */
const SIGNALLED = 128

/**
 * Never throws. `args` are the arguments after the program's name. `loaded` is `null` if they begin with no command. An
 * error that nothing caught, and an await that never settles, end the process as errors of the command do.
 */
export async function runProgram<Options>(
  commands: Commands,
  loaded: LoadedCommand<Options> | null,
  args: readonly string[],
): Promise<void> {
  const { env } = process
  const isJson = args.includes('--json')
  const progress = createProgress(loaded?.name ?? 'vitrina')
  let isGiven = false
  const give = (exit: number, report: object = {}): void => {
    isGiven = true
    process.exitCode = exit
    const blank = { exit, ms: 0, error: null, ...loaded?.definition.blank }
    if (isJson) printJson({ ...blank, ms: Math.round(performance.now()), ...report, exit })
  }
  const fail = (thrown: unknown): void => {
    const error = toError(thrown)
    const text = formatError(error, env)
    progress.done(text)
    give(findExitCode(error), { error: text })
  }
  process.on('uncaughtException', (error) => {
    fail(error)
    process.exit()
  })
  process.on('exit', (code) => {
    if (!isGiven && code <= SIGNALLED) fail(new Error(NEVER_ENDED))
  })
  try {
    if (loaded === null) return give(listCommands(commands, args))
    const readEnvironment = (stage: unknown): Environment => {
      loadSettings(stage, env)
      return env
    }
    const options = parseCommand(loaded, args.slice(1), readEnvironment, commands)
    if (options === null) return give(EXIT.done)
    const { exit, report } = await loaded.definition.run(options, createTerminal(progress, isJson))
    progress.done('')
    give(exit, report)
  } catch (error) {
    fail(error)
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
    .description(DESCRIPTION)
    .helpOption('-h, --help', 'show this help')
    .version(version, '-V, --version', 'show the version')
    .helpCommand(false)
    .configureHelp({ minWidthToWrap: 20 })
    .configureOutput({ writeOut: (text) => void process.stdout.write(wrapText(text)), writeErr: () => {} })
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

/** Prints one line without control characters, and without marks that change the direction of text. */
function printJson(report: object): void {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  console.log(JSON.stringify(report).replace(/[^ -~]/g, escape))
}

/**
 * Time in which repeats of a signal are ignored, in milliseconds. npm passes Ctrl-C on to a process that already got it
 * from the terminal, and the repeat must not end the clean-up. A later repeat ends the process.
 */
const REPEATS = 1_000

export function createTerminal(progress: Progress, isJson: boolean): Terminal {
  const show = (print: (text: string) => void, text: string): void => {
    progress.done('')
    print(wrapText(text))
  }
  return {
    print: (text) => show(isJson ? console.error : console.log, text),
    warn: (text) => show(console.error, text),
    report: (report) => {
      if (isJson) printJson(report)
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
