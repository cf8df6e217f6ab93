/** The two ways of hosting the site. */
import type { FirstView } from '../state/snapshot/waits.ts'

/**
 * `assets`: every page is a file, and a deployment has all of them. `objects`: the Worker serves one
 * object a seller, which builders push.
 */
export type Lane = 'assets' | 'objects'

/** Names a search index. After a change of any part there is another one, which is empty. */
export function formatIndexName(lane: Lane, shards: number, site: string): string {
  return `${lane} ${shards} ${site}`
}

export function isIndexOf(lane: Lane, site: string, name: string | null): boolean {
  return name !== null && name.startsWith(`${lane} `) && name.endsWith(` ${site}`)
}

/** Returns the view that shows the site's data first. */
export function findFirstView(lane: Lane): FirstView {
  return lane === 'assets' ? 'files' : 'store'
}
