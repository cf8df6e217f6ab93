/** The two ways of hosting the site. */
import type { FirstView } from '../state/snapshot/waits.ts'

/**
 * `assets`: every page is a file, and a deployment has all of them. `objects`: the Worker serves one
 * object a seller, which builders push.
 */
export type Lane = 'assets' | 'objects'

/** Names a search index. `life` is another one after it was emptied, and for another number of shards. */
export function formatIndexName(lane: Lane, life: string, site: string): string {
  return `${lane} ${life} ${site}`
}

export function isIndexOf(lane: Lane, site: string, name: string | null): boolean {
  return name !== null && name.startsWith(`${lane} `) && name.endsWith(` ${site}`)
}

/** Returns the view that shows the site's data first. */
export function findFirstView(lane: Lane): FirstView {
  return lane === 'assets' ? 'files' : 'store'
}
