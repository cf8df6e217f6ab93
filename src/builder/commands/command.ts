/** The interface between the program and its commands. */
import type { Command } from 'commander'
import type { Environment } from '../publish/redact.ts'
import type { Progress } from './terminal/progress.ts'

export type { Environment }

/** A command's input before it becomes typed options: commander's result, and the environment. */
export interface Parsed {
  readonly flags: Readonly<Record<string, unknown>>
  readonly words: readonly string[]
  readonly environment: Environment
}

export interface CommandDefinition<Options> {
  /** Adds arguments, options and further help. */
  configure?(command: Command): void
  /** Returns typed options. Throws a `UsageError` if they are wrong. */
  parse(parsed: Parsed): Options
  /** Performs the command. On rejection, the program prints the error and sets the exit code. */
  run(options: Options, terminal: Terminal): Promise<CommandResult>
  /**
   * A command with this field has the option `--json`: its last line is a report with the fields `exit`, `ms`, `error`
   * and these, which have these values if the command failed.
   */
  readonly blank?: object
}

export interface CommandResult {
  /** One of `EXIT`. */
  readonly exit: number
  /** With `--json`, printed as the last line. */
  readonly report?: object
}

/** The output of a command, and the signals that end it. */
export interface Terminal {
  /** Prints a line on stdout; with `--json`, on stderr. */
  print(line: string): void
  /** Prints a line on stderr. */
  warn(line: string): void
  /** With `--json`, prints an interim report. The report of the command's result is printed last. */
  report(report: object): void
  readonly progress: Progress
  /**
   * Returns a signal that aborts at SIGINT, SIGTERM or SIGHUP. Before the first call, these signals end the process.
   * So does a signal that is repeated more than a second later.
   */
  listenForEnd(): AbortSignal
}
