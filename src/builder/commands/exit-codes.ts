/** The exit codes of all commands, each with one meaning. */
import { isBusy } from '../result-codes.ts'

const TABLE = {
  done: [0, 'done'],
  attention: [1, 'attention needed'],
  usage: [2, 'wrong usage'],
  source: [3, 'source failed'],
  shrink: [4, 'removals refused'],
  busy: [5, 'another run is at work'],
  pageFailed: [6, 'pages failed'],
  unfinished: [70, 'not finished'],
} as const

export type ExitName = keyof typeof TABLE

export const EXIT = Object.fromEntries(
  Object.entries(TABLE).map(([name, [code]]) => [name, code]),
) as Readonly<Record<ExitName, number>>

/** Returns e.g. `0 done, 1 attention needed`; without names, all exit codes. */
export function listExitCodes(names = Object.keys(TABLE) as readonly ExitName[]): string {
  return names.map((name) => TABLE[name].join(' ')).join(', ')
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
