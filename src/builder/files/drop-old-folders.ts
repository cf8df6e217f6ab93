/** Removes old folders from a store. Keeps the one in use and the newest others. */
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

interface DropOptions {
  /** Name of the folder in use, which is kept at any age. */
  readonly present: string
  /** Number of folders kept, including the one in use. */
  readonly kept: number
  /** Returns true for a folder that is neither counted nor removed. */
  readonly isLeftAlone?: (name: string) => boolean
}

/**
 * Treats a folder with a date in the future as the oldest, because otherwise it would displace folders that other
 * processes just made. Removes nothing if the store is a link, which may lead to another program's folders.
 */
export function dropOldFolders(
  store: string,
  { present, kept, isLeftAlone = () => false }: DropOptions,
): void {
  if (lstatSync(store).isSymbolicLink()) return
  const now = Date.now()
  const folders = readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== present && !isLeftAlone(entry.name))
    .map(({ name }) => ({ path: join(store, name), time: readTime(join(store, name), now) }))
    .sort((a, b) => b.time - a.time)
  for (const { path } of folders.slice(kept - 1)) rmSync(path, { recursive: true, force: true })
}

// Returns 0 for a folder that another process has removed, or that has a date in the future.
function readTime(folder: string, now: number): number {
  const time = lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return time > now ? 0 : time
}
