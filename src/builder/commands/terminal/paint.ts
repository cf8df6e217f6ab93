/** Colours and width of the output. Without a terminal on stdout it has neither. */
import { styleText } from 'node:util'
import { Help } from 'commander'

export interface Paint {
  /** Columns of the terminal; `null` where lines need not be broken. */
  readonly columns: number | null
  color(name: 'green' | 'red' | 'yellow' | 'bold' | 'dim', text: string): string
}

interface Stream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
  /** False with `NO_COLOR`. */
  hasColors?(): boolean
}

export function createPaint(stream: Stream = process.stdout): Paint {
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
 * Breaks a text between words, and indents the lines after the first. With a `width` of `null` the text stays as it is.
 */
export function wrapText(text: string, width: number | null, indent: number): string {
  if (width === null) return text
  const lines = help.boxWrap(text, Math.max(width, LEAST_WIDTH))
  return lines.replaceAll('\n', `\n${' '.repeat(indent)}`)
}
