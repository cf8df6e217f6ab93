/** Colours and width of the output. If stdout is not a terminal, there are no colours and lines are not wrapped. */
import { styleText } from 'node:util'
import { Help } from 'commander'

export interface Paint {
  /** Columns of the terminal; `null` if lines are not wrapped. */
  readonly columns: number | null
  color(name: 'green' | 'red' | 'yellow' | 'bold' | 'dim', text: string): string
}

export interface TerminalStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
  /** Returns false if `NO_COLOR` is set or the terminal cannot move its cursor. */
  hasColors?(): boolean
}

export function createPaint(stream: TerminalStream = process.stdout): Paint {
  const hasColors = stream.isTTY === true && stream.hasColors?.() === true
  return {
    columns: stream.isTTY === true && stream.columns ? stream.columns : null,
    color: (name, text) => (hasColors ? styleText(name, text, { validateStream: false }) : text),
  }
}

/** Min width to which text is wrapped. */
export const LEAST_WIDTH = 20

const help = new Help()
help.minWidthToWrap = LEAST_WIDTH

/**
 * Breaks a text between words, and indents the lines after the first. If `width` is `null`, returns the text unchanged.
 */
export function wrapText(text: string, width: number | null, indent: number): string {
  if (width === null) return text
  const lines = help.boxWrap(text, Math.max(width, LEAST_WIDTH))
  return lines.replaceAll('\n', `\n${' '.repeat(indent)}`)
}
