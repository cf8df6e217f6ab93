/** Formats lines for people: tables, long lists, and text that a runner of GitHub Actions must not obey. */
import { formatNumber } from '../../format-numbers.ts'

/** A label, empty if the row continues the previous one, and a text. A row whose text is `null` is left out. */
export type LabelledRow = readonly [label: string, text: string | null]

/** Returns one line for each row, with aligned columns. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<readonly number[]>(
    (known, row) => row.map((text, column) => Math.max(text.length, known[column] ?? 0)),
    [],
  )
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/**
 * Breaks lines that are longer than `columns` between words. What follows begins under the text of its line, after
 * the indentation and the label.
 */
export function wrapLines(text: string, columns: number): string {
  const wrap = (line: string): string => {
    if (line.length <= columns) return line
    const start = /^ *(\S+ {2,})?/.exec(line)?.[0].length ?? 0
    const lines = [line.slice(0, start)]
    for (const word of line.slice(start).split(' ')) {
      const last = lines.at(-1) ?? ''
      if (last.length + word.length < columns || last.length === start)
        lines[lines.length - 1] = last.length === start ? last + word : `${last} ${word}`
      else lines.push(' '.repeat(start) + word)
    }
    return lines.join('\n')
  }
  return text.split('\n').map(wrap).join('\n')
}

/** Leaves out the rows without a text. */
export function listRows(rows: readonly LabelledRow[]): readonly (readonly [string, string])[] {
  return rows.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const]))
}

interface ListLimit {
  /** Max items shown. */
  readonly most: number
  /** Number of all items, if `items` is only a part of them. */
  readonly total?: number
  readonly formatLeft?: (left: number) => string
}

/** Formats the first `most` items. If there are more, adds a line with the number of those left out. */
export function listFirst<Item>(
  items: readonly Item[],
  format: (item: Item) => string,
  { most, total = items.length, formatLeft = formatMore }: ListLimit,
): readonly string[] {
  const shown = items.slice(0, most).map(format)
  return total > shown.length ? [...shown, formatLeft(total - shown.length)] : shown
}

function formatMore(left: number): string {
  return `and ${formatNumber(left)} more`
}

/**
 * Breaks up commands: a runner of GitHub Actions obeys `##[…]` anywhere in a line, and `::…::` at the beginning.
 * Source: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function breakCommands(text: string): string {
  return text.replaceAll('##[', '# #[').replace(/^([^\S\n]*):(?=:)/gm, '$1: ')
}
