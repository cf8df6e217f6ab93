/** On a file system that ignores case, the pages of `Ana` and `ana` would share a file. */
import { UsageError } from '../state/usage-error.ts'
import type { RebuildState } from './world.ts'

/** Throws a `UsageError` when two sellers would share a file. */
export function checkCase({ output, snapshot }: Pick<RebuildState, 'output' | 'snapshot'>): void {
  if (!output.ignoresCase()) return
  const seen = new Map<string, string>()
  for (const seller of snapshot.readSellers()) {
    const folded = seller.toLowerCase()
    const other = seen.get(folded)
    if (other !== undefined) {
      throw new UsageError(
        `The output folder ignores case, so sellers ${other} and ${seller} would share a page. Name another with --out.`,
      )
    }
    seen.set(folded, seller)
  }
}
