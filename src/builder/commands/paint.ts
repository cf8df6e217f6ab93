/** Colours and width of what is printed: none of both where stdout is not a terminal. */
import { styleText } from 'node:util'

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

/** Shorter lines cannot be read. */
const LEAST = 50

export function createPaint(stream: Stream = process.stdout): Paint {
  const hasColors = stream.isTTY === true && stream.hasColors?.() === true
  return {
    columns: stream.isTTY === true && stream.columns ? Math.max(LEAST, stream.columns) : null,
    color: (name, text) => (hasColors ? styleText(name, text, { validateStream: false }) : text),
  }
}

/** Breaks a text between words. Lines after the first are indented. */
export function wrapText(text: string, width: number | null, indent: number): string {
  if (width === null) return text
  const lines = text.split(' ').reduce<readonly string[]>((before, word) => {
    const last = before.at(-1)
    if (last === undefined) return [word]
    return `${last} ${word}`.length <= width ? [...before.slice(0, -1), `${last} ${word}`] : [...before, word]
  }, [])
  return lines.join(`\n${' '.repeat(indent)}`)
}
