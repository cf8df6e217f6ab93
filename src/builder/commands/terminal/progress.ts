/**
 * Shows progress on stderr: one line that is replaced if the terminal can do that, otherwise lines, with at least two
 * seconds between them.
 */
import { wrapText } from './format-lines.ts'

export interface Progress {
  update(text: string): void
  /** Ends the task. Prints the text unless it is empty. */
  done(text: string): void
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
  return {
    update: (text) => {
      if (performance.now() - last < (isLive ? PAUSES.live : PAUSES.log)) return
      last = performance.now()
      isShown = isLive
      const line = `${label}: ${text}`
      // A longer line would be on two lines, of which only one is cleared.
      stream.write(isLive ? CLEAR + line.slice(0, (stream.columns ?? 80) - 1) : `${line}\n`)
    },
    done: (text) => {
      if (isShown) stream.write(CLEAR)
      isShown = false
      if (text !== '') stream.write(`${wrapText(`${label}: ${text}`, stream.columns ?? 0)}\n`)
    },
  }
}
