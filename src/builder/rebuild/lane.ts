/** The two ways of hosting the site, and names that depend on them. */
import type { FirstView } from '../state/snapshot/waits.ts'

/**
 * `assets`: every page is a file, and one deployment has all files. `objects`: builders push one object for each seller
 * to a store, and the Worker serves pages from it.
 */
export type Lane = 'assets' | 'objects'

/**
 * Returns a name that identifies a search index and its content. `life` changes when a shard is emptied, and when the
 * number of shards changes.
 */
export function formatIndexName(lane: Lane, life: string, site: string): string {
  return `${lane} ${life} ${site}`
}

export function isIndexOf(lane: Lane, site: string, name: string | null): boolean {
  return name !== null && name.startsWith(`${lane} `) && name.endsWith(` ${site}`)
}

/**
 * Returns the view that changed sellers wait for after a read: the files or the store. The search index is updated
 * after this view.
 */
export function findFirstView(lane: Lane): FirstView {
  return lane === 'assets' ? 'files' : 'store'
}
