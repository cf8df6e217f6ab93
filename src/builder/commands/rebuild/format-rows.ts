/** The table at the end of a rebuild's report. */

/** The name is empty if the row continues the one before. */
export type Row = readonly [name: string, text: string]

export function formatRows(rows: readonly Row[]): string {
  return rows.map(([name, text]) => `  ${name.padEnd(11)} ${text}`).join('\n')
}
