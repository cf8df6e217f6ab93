/** What every command of the program is made of. */
import type { Command } from 'commander'
import type { Progress } from './progress.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What commander parsed, before it becomes typed options. */
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
  /** What it throws becomes words, an exit code and, with `--json`, the last line. */
  run(options: Options, terminal: Terminal): Promise<CommandResult>
  /** What JSON says besides `exit` and `error` when there is no result. */
  readonly blank?: object
}

export interface CommandResult {
  /** One of `EXIT`. */
  readonly exit: number
  /** The last line with `--json`. */
  readonly report?: object
}

/** Where a command speaks. */
export interface Terminal {
  /** A line for people: on stdout, or on stderr where stdout belongs to JSON. */
  print(line: string): void
  /** A line for people on stderr. */
  warn(line: string): void
  /** With `--json`, a report that is not the last. */
  report(report: object): void
  readonly progress: Progress
  /** Aborts at SIGINT, SIGTERM or SIGHUP, which end the process by themselves until this is called. */
  listenForEnd(): AbortSignal
}
