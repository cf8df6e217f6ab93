/** Aligns the columns of a table. */

/**
 * `isRight` returns whether the cells of a column are numbers, which are aligned to the right. Returns a line for each
 * row.
 */
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
