/** Handles file systems that ignore case, where the pages of `Ana` and `ana` would share a file. */
import type { PageSwitches } from '../../../domain/documents/page-switches.ts'
import { UsageError } from '../../state/usage-error.ts'
import type { Output } from '../../state/output/output.ts'
import type { RebuildState } from '../world.ts'

/** Throws a `UsageError` when two sellers, or two products of one seller, would share a file. */
export function checkCase(
  { output, snapshot }: Pick<RebuildState, 'output' | 'snapshot'>,
  { productPages }: PageSwitches,
): void {
  if (!output.ignoresCase()) return
  const sellers = [...snapshot.readSellers()]
  checkNames('sellers', sellers)
  if (!productPages) return
  for (const seller of sellers) checkNames(`${seller}'s products`, snapshot.readProductIds(seller))
}

function checkNames(what: string, ids: readonly string[]): void {
  const seen = new Map<string, string>()
  for (const id of ids) {
    const folded = foldCase(id)
    const other = seen.get(folded)
    if (other !== undefined) {
      throw new UsageError(
        `The output folder ignores case, so ${what} ${other} and ${id} would share a page. Name another with --out.`,
      )
    }
    seen.set(folded, id)
  }
}

/** Returns the same text for all paths that name one file if case is ignored. */
export function foldCase(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** Paths of one run. */
export interface Renames {
  /** Paths to remove. Each may be the same file as a path of `written` or `kept` in another case. */
  readonly old: readonly string[]
  readonly written: readonly string[]
  /** Pages that stay as they are. */
  readonly kept: readonly string[]
}

/**
 * Removes files that the run writes again under a name in another case. Otherwise the file would keep its old name, and
 * a later removal of that name would delete the new file. Returns an output that skips the removal of these names, and
 * of names that differ from those of kept files in case only.
 */
export function removeOldNames(
  { output, record }: Pick<RebuildState, 'output' | 'record'>,
  { old, written, kept }: Renames,
): Output {
  if (old.length === 0 || !output.ignoresCase()) return output
  const [writes, keeps] = [written, kept].map((paths) => new Set(paths.map(foldCase)))
  const names = new Set(old.filter((path) => writes?.has(foldCase(path))))
  const taken = new Set(old.filter((path) => keeps?.has(foldCase(path))))
  record.markUnsurePaths([...names])
  output.remove([...names])
  return {
    ...output,
    remove: (paths) => output.remove(paths.filter((path) => !names.has(path) && !taken.has(path))),
  }
}
