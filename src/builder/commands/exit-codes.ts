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
  done: 'done, or nothing to do',
  attention: 'attention needed: the message says why',
  usage: 'wrong usage or configuration: the message says what to correct',
  source: 'the source or a service failed: the next run does the rest',
  shrink: 'removals were refused, since they would remove much of the site or of its pictures',
  busy: 'another run uses this state or output folder, or another builder is at work',
  pageFailed: 'some pages failed, now or earlier, and stay as they were; all other pages are up to date',
  unfinished: 'the run did not finish: the next run repairs what this one left unfinished',
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
