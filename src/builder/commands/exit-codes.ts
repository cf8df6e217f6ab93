/** The exit codes of all commands, each with one meaning: docs/operate.md explains them. */
import { isBusy } from '../result-codes.ts'

export const EXIT = {
  done: 0,
  /** A person is needed. */
  attention: 1,
  usage: 2,
  source: 3,
  /** Removals were refused. */
  shrink: 4,
  /** Another run is at work. */
  busy: 5,
  pageFailed: 6,
  /** The run did not end. */
  unfinished: 70,
} as const

/** Keyed by the name of the error's class, so that a command need not load the error classes of other commands. */
const ERROR_EXITS: Readonly<Record<string, keyof typeof EXIT>> = {
  UsageError: 'usage',
  RefusedError: 'usage',
  SourceError: 'source',
  CallError: 'source',
  ShrinkError: 'shrink',
  BusyError: 'busy',
  EdgeError: 'attention',
  PublishError: 'attention',
  WranglerError: 'attention',
}

/** Returns the exit code of an error. One outside the table is a crash, unless it reports a busy database. */
export function findExitCode(error: Error): number {
  // Another process held the database for longer than a connection waits.
  if (isBusy(error)) return EXIT.busy
  return EXIT[ERROR_EXITS[error.name] ?? 'unfinished']
}
