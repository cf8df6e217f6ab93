/** Handles file systems that ignore case, where the pages of `Ana` and `ana` would share a file. */
import type { PageSwitches } from '../../../domain/documents/page-switches.ts'
import { UsageError } from '../../state/usage-error.ts'
import type { Output } from '../../state/output/output.ts'
import type { RebuildState } from '../world.ts'

/**
 * Throws a `UsageError` if the output folder ignores case and two sellers, or two products of one seller, would share a
 * file.
 */
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
        `The file system of the output folder ignores case, so ${what} ${other} and ${id} would share a page. Choose a folder on another file system with --out.`,
      )
    }
    seen.set(folded, id)
  }
}

/** Returns the same text for all paths that name the same file on a file system that ignores case. */
export function foldCase(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** The paths that one run removes, writes or keeps. */
export interface Renames {
  /** Paths to remove. One of them may name the same file as a path in `written` or `kept` that differs in case only. */
  readonly old: readonly string[]
  readonly written: readonly string[]
  readonly kept: readonly string[]
}

/**
 * Removes each old file that the run writes again under a name that differs in case only. Otherwise the new file would
 * keep the old name, and a later removal of the old name would delete it. The method `remove` of the returned output
 * skips these names. It also skips old names that differ from the name of a kept file in case only, because removing
 * them would delete the kept file.
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
