/** Runs one command: parses its arguments, sets the exit code and, with `--json`, prints one object at the end. */
import { Command, CommanderError } from 'commander'
import { UsageError } from '../files/usage-error.ts'
import type { CommandDefinition, Environment, Terminal } from './command.ts'
import type { ExitName } from './exit-codes.ts'
import { EXIT, EXIT_MEANINGS, findExitCode } from './exit-codes.ts'
import { formatError } from './terminal/format-error.ts'
import { breakCommands } from './terminal/log-line.ts'
import type { Progress } from './terminal/progress.ts'
import { createProgress } from './terminal/progress.ts'
import { loadSettings } from './stage.ts'
import type { ProgramVerdict } from './verdict.ts'
import { formatJson, watchForVerdict } from './verdict.ts'
import { toError } from '../../domain/documents/errors.ts'

/**
 * Time in which repeats of a signal are ignored, in milliseconds. npm passes Ctrl-C on to a process that already got it
 * from the terminal, and the repeat must not end the clean-up. A later repeat ends the process.
 */
const REPEATS = 1_000

interface NamedCommand<Options> {
  readonly name: string
  readonly summary: string
  readonly definition: CommandDefinition<Options>
}

/** Never throws. `args` are the arguments after the command's name. */
export async function runProgram<Options>(
  { name, summary, definition }: NamedCommand<Options>,
  args: readonly string[],
): Promise<void> {
  const isJson = args.includes('--json')
  const progress = createProgress(name)
  const fail = (error: Error): object => {
    const text = formatError(error, process.env)
    progress.fail(text)
    return { ...definition.blank, exit: findExitCode(error), ...formatTime(definition), error: text }
  }
  const verdict = watchForVerdict({ isJson, onCrash: fail })
  try {
    const options = readOptions({ name, summary, definition }, args)
    if (options === null) return verdict.give(EXIT.done, {})
    const { exit, report } = await definition.run(options, createTerminal(progress, isJson))
    progress.done('')
    verdict.give(exit, { exit, ...report })
  } catch (error) {
    printError(error, fail, verdict)
  }
}

/** Loads the settings, then parses the arguments as `parseCommand` does. Prints the help even if a setting is wrong. */
function readOptions<Options>(command: NamedCommand<Options>, args: readonly string[]): Options | null {
  try {
    loadSettings(args, process.env)
  } catch (error) {
    const isHelp = args.includes('--help') || args.includes('-h')
    if (isHelp && parseCommand(command, args, process.env) === null) return null
    throw error
  }
  return parseCommand(command, args, process.env)
}

/** Returns `null` after printing the help. Throws a `UsageError`. */
export function parseCommand<Options>(
  {
    name,
    summary = '',
    definition,
  }: Partial<NamedCommand<Options>> & Pick<NamedCommand<Options>, 'definition'>,
  args: readonly string[],
  environment: Environment,
): Options | null {
  const command = createCommand(name ?? 'command', summary)
  definition.configure(command)
  try {
    command.parse([...args], { from: 'user' })
    checkValues(command)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return null
    throw new UsageError(error.message.replace(/^error: /, '').replaceAll('\n', ' '), { cause: error })
  }
  return definition.parse({
    flags: command.opts(),
    words: command.processedArgs.flat().filter((word) => word !== undefined),
    environment,
  })
}

// Throws a `UsageError` if an option has an empty value, which often comes from an unset shell variable. For example,
// an empty `--env` would select the production site.
function checkValues(command: Command): void {
  const empty = command.options.find((one) => command.getOptionValue(one.attributeName()) === '')
  if (empty !== undefined)
    throw new UsageError(`option '${empty.flags}' was given an empty value: give it a value, or leave it out`)
}

/** Returns the end of a command's help, which lists its exit codes; without names, it lists all exit codes. */
export function formatExitCodes(...names: readonly ExitName[]): string {
  const listed = names.length === 0 ? (Object.keys(EXIT) as readonly ExitName[]) : names
  const codes = listed.map((name) => `${EXIT[name]} ${EXIT_MEANINGS[name]}`)
  return `\nExit codes: ${codes.join(', ')}`
}

function createCommand(name: string, summary: string): Command {
  const program = new Command('vitrina').configureOutput({ writeErr: () => {} }).exitOverride()
  return program.command(name).description(summary).helpOption('-h, --help', 'show this help')
}

function printError(error: unknown, fail: (error: Error) => object, verdict: ProgramVerdict): void {
  const problem = toError(error)
  verdict.give(findExitCode(problem), fail(problem))
}

// Returns the field `ms` if the command's reports have it, so that the report of a failure has it, too.
function formatTime({ blank }: Pick<CommandDefinition<unknown>, 'blank'>): object {
  return blank !== undefined && 'ms' in blank ? { ms: Math.round(performance.now()) } : {}
}

export function createTerminal(progress: Progress, isJson: boolean): Terminal {
  const prepare = (line: string): string => breakCommands(line)
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
