/** Exit codes of a rebuild, and which error means which. */
import type { Outcome } from '../rebuild/rebuild.ts'

export const EXIT = {
  done: 0,
  /** Some page failed; the others are in place. */
  pageFailed: 1,
  usage: 2,
  source: 3,
  shrink: 4,
  busy: 5,
  /** The run could not finish: what it left is repaired by the next one. */
  unfinished: 70,
} as const

const CODES: Readonly<Record<string, number>> = {
  UsageError: EXIT.usage,
  SourceError: EXIT.source,
  ShrinkError: EXIT.shrink,
  BusyError: EXIT.busy,
}

export function findExitCode(result: Outcome | Error): number {
  if (result instanceof Error) return CODES[result.name] ?? EXIT.unfinished
  return result.failures.length > 0 ? EXIT.pageFailed : EXIT.done
}
