/** The two ways of hosting the site. */

/**
 * `assets`: every page is a file, and a deployment has all of them. `objects`: the Worker serves one
 * object a seller, which builders push.
 */
export type Lane = 'assets' | 'objects'

/** Names a search index. After a change of any part there is another one, which is empty. */
export function formatIndexName(lane: Lane, shards: number, site: string): string {
  return `${lane} ${shards} ${site}`
}

export function isOfLane(lane: Lane, index: string): boolean {
  return index.startsWith(`${lane} `)
}
