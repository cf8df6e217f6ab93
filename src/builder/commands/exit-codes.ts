/** The exit codes of all commands, each with one meaning. */
import { isBusy } from '../result-codes.ts'

export const EXIT = {
  done: 0,
  attention: 1,
  usage: 2,
  source: 3,
  shrink: 4,
  busy: 5,
  pageFailed: 6,
  unfinished: 70,
} as const

export type ExitName = keyof typeof EXIT

export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  done: 'done',
  attention: 'attention needed',
  usage: 'wrong usage',
  source: 'source failed',
  shrink: 'removals refused',
  busy: 'another run is at work',
  pageFailed: 'pages failed',
  unfinished: 'not finished',
}

/** Keyed by the name of the error's class, so that a command need not load the error classes of other commands. */
const ERROR_EXITS: Readonly<Record<string, ExitName>> = {
  UsageError: 'usage',
  RefusedError: 'usage',
  SourceError: 'source',
  CallError: 'source',
  ShrinkError: 'shrink',
  BusyError: 'busy',
  CompileError: 'unfinished',
  EdgeError: 'attention',
  PublishError: 'attention',
  WranglerError: 'attention',
  WorkersError: 'unfinished',
  LeaseError: 'unfinished',
  OutdatedError: 'unfinished',
}

/**
 * Returns the exit code of an error. Unless it reports a busy database, an error outside the table is a crash, with the
 * code `unfinished`.
 */
export function findExitCode(error: Error): number {
  // A busy error means that another process held a database for longer than a connection waits.
  if (isBusy(error)) return EXIT.busy
  return EXIT[ERROR_EXITS[error.name] ?? 'unfinished']
}
