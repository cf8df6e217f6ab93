/** The interface between the program and its commands. */
import type { Command } from 'commander'
import type { Progress } from './terminal/progress.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Commander's result, before it becomes typed options. */
export interface Parsed {
  readonly flags: Readonly<Record<string, unknown>>
  readonly words: readonly string[]
  readonly environment: Environment
}

export interface CommandDefinition<Options> {
  /** Adds arguments, options and further help. */
  configure(command: Command): void
  /** Throws a `UsageError`. */
  parse(parsed: Parsed): Options
  /** An error becomes a message, an exit code and, with `--json`, the last line. */
  run(options: Options, terminal: Terminal): Promise<CommandResult>
  /** Fields of the JSON besides `exit` and `error` when the command fails. */
  readonly blank?: object
}

export interface CommandResult {
  /** One of `EXIT`. */
  readonly exit: number
  /** The last line with `--json`. */
  readonly report?: object
}

/** The output of a command, and the signals that end it. */
export interface Terminal {
  /** Prints a line for people on stdout; on stderr with `--json`. */
  print(line: string): void
  /** Prints a line for people on stderr. */
  warn(line: string): void
  /** With `--json`, prints a report that is not the last. */
  report(report: object): void
  readonly progress: Progress
  /** The signal aborts at SIGINT, SIGTERM or SIGHUP. Before the first call these end the process. */
  listenForEnd(): AbortSignal
}
