/** Formats text for people: lines as long as the terminal is wide, tables, and the first items of long lists. */
import { Help } from 'commander'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatNumber } from '../../format-numbers.ts'

/** A label, empty if the row continues the previous one, and a text. A row whose text is `null` is left out. */
export type LabelledRow = readonly [label: string, text: string | null]

/** Width of the labels of all tables, so that the steps of a deploy are one table. */
const WIDTH = 11

/** Breaks long lines between words. What follows begins under the text of its line, after the label. */
export function wrapText(text: string, columns: number | undefined = process.stdout.columns): string {
  const wrap = (line: string): string => {
    const start = /^ *(\S+ {2,})?/.exec(line)?.[0] ?? ''
    const width = (columns || Infinity) - start.length
    const wrapped = new Help().boxWrap(line.slice(start.length), width)
    return start + wrapped.replaceAll('\n', `\n${' '.repeat(start.length)}`)
  }
  return text.split('\n').map(wrap).join('\n')
}

/** Returns one line for each row that has a text. Cleans the texts, which may come from documents. */
export function formatTable(rows: readonly LabelledRow[]): readonly string[] {
  return rows.flatMap(([label, text]) =>
    text === null ? [] : [`  ${label.padEnd(WIDTH)} ${cleanText(text)}`],
  )
}

interface ListLimit {
  /** Max items shown. */
  readonly most: number
  /** Number of all items, if `items` is only a part of them. */
  readonly total?: number
  /** Ends the line that counts the items left out. */
  readonly more?: string
}

/** Returns an indented line for each of the first items, and one that counts those left out. Cleans the lines. */
export function listFirst<Item>(
  items: readonly Item[],
  format: (item: Item) => string,
  { most, total = items.length, more = '' }: ListLimit,
): readonly string[] {
  const lines = items.slice(0, most).map((item) => `  ${cleanText(format(item))}`)
  const left = total - lines.length
  return left > 0 ? [...lines, `  and ${formatNumber(left)} more${more}`] : lines
}
