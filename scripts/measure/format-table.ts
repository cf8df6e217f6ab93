/** Aligns the columns of a table. */

/** `isRight` tells of a column whether its cells are numbers, and stand at the right. Returns a line for each row. */
export function formatTable(
  rows: readonly (readonly string[])[],
  isRight: (column: number) => boolean,
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number): string => {
    const width = widths[column] ?? 0
    return isRight(column) ? cell.padStart(width) : cell.padEnd(width)
  }
  return rows.map((row) => row.map(pad).join('  ').trimEnd())
}
