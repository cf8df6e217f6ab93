/**
 * Shows progress on stderr: one line that is replaced if the terminal can do that, otherwise lines, with at least two
 * seconds between them.
 */
import { breakCommands, wrapLines } from './format-lines.ts'

/** Progress of one task. `done` and `fail` end it, and print their text unless it is empty. */
export interface Progress {
  update(text: string): void
  done(text: string): void
  fail(text: string): void
}

interface TerminalStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
  /** Returns false if `NO_COLOR` is set or the terminal cannot move its cursor. */
  hasColors?(): boolean
}

/** Min time between updates, in milliseconds. A log of every update would bury other lines. */
const PAUSES = { live: 100, log: 2_000 }
/** Moves to the beginning of the line and clears it. */
const CLEAR = '\r\u001B[K'

export function createProgress(label: string, stream: TerminalStream = process.stderr): Progress {
  const isLive = stream.isTTY === true && stream.columns !== 0 && stream.hasColors?.() === true
  let last = isLive ? -Infinity : performance.now()
  let isShown = false
  const format = (text: string): string => breakCommands(`${label}: ${text}`)
  const end = (text: string): void => {
    if (isShown) stream.write(CLEAR)
    isShown = false
    if (text !== '') stream.write(`${wrapLines(format(text), stream.columns || Infinity)}\n`)
  }
  return {
    update: (text) => {
      if (performance.now() - last < (isLive ? PAUSES.live : PAUSES.log)) return
      last = performance.now()
      isShown = isLive
      // A longer line would be on two lines, of which only one is cleared.
      stream.write(isLive ? CLEAR + format(text).slice(0, (stream.columns ?? 80) - 1) : `${format(text)}\n`)
    },
    done: end,
    fail: end,
  }
}
