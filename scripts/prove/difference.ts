/** The error that a proof throws if a check fails, and functions that throw it. */

/** Max differences in a message. */
const SHOWN = 4

export class Difference extends Error {
  override readonly name = 'Difference'
}

/** Runs `work`. If `work` throws a `Difference`, throws it with `where` before its message. */
export async function explainDifference<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Difference)) throw error
    throw new Difference(`${where}\n${error.message}`, { cause: error })
  }
}

export function fail(differences: readonly string[]): void {
  if (differences.length === 0) return
  const more = differences.length > SHOWN ? [`and ${differences.length - SHOWN} more`] : []
  throw new Difference([...differences.slice(0, SHOWN), ...more].join('\n'))
}
