/** The exit codes of every command: one meaning each. */

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
  attention: 'somebody is needed: the message says for what',
  usage: 'wrong usage or configuration: nothing was done',
  source: 'the source or a service failed: nothing has changed',
  shrink: 'refused, since much would be taken away: nothing has changed',
  busy: 'another run holds this state or this output folder',
  pageFailed: 'some page failed: it keeps its old version, the others are in place',
  unfinished: 'the run could not finish: the next one repairs what it left',
}

/** By the name of the error's class, so that no command has to load the classes of the others. */
export const ERROR_EXITS: Readonly<Record<string, ExitName>> = {
  UsageError: 'usage',
  ForgottenDashesError: 'usage',
  RefusedError: 'usage',
  SourceError: 'source',
  CallError: 'source',
  ShrinkError: 'shrink',
  BusyError: 'busy',
  BrokenReferenceError: 'unfinished',
  CompileError: 'unfinished',
  EdgeError: 'attention',
  PublishError: 'attention',
  StatusError: 'attention',
  WranglerError: 'attention',
  WorkersError: 'unfinished',
  LeaseError: 'unfinished',
}

/** An error of any other class is a crash. */
export function findExitCode({ name }: Error): number {
  return EXIT[ERROR_EXITS[name] ?? 'unfinished']
}
