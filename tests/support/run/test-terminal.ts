/** A terminal for commands that a test runs in its own process. */
import type { Terminal } from '../../../src/builder/commands/command.ts'

interface TestTerminalOptions {
  readonly onPrint?: (line: string) => void
  /** Ends the command when it aborts. */
  readonly end?: AbortSignal
}

/** Shows nothing; a printed line goes only to `onPrint`. */
export function createTestTerminal({
  onPrint = () => {},
  end = new AbortController().signal,
}: TestTerminalOptions = {}): Terminal {
  return {
    print: onPrint,
    warn: () => {},
    report: () => {},
    progress: { update: () => {}, done: () => {} },
    listenForEnd: () => end,
  }
}
