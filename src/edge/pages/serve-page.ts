/** Answers the addresses of pages. */
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import type { Content } from './content.ts'
import { parseNotes } from '../objects/object-notes.ts'
import type { SeenObject } from '../objects/object-store.ts'
import type { ObjectRoute, PageRoute } from './route-page.ts'
import { readCached } from './serve-cached.ts'
import type { ServeWorld } from './serve-world.ts'
import { viewHome } from './view-home.ts'
import { viewObject } from './view-object.ts'

/** Returns `null` if the store fails and the cache has nothing. */
export function readPage(route: PageRoute, world: ServeWorld): Promise<Content | null> {
  return readCached(
    {
      address: formatAddress(route),
      findMaxAge: () => world.maxAge,
      load: async () => {
        if (!('name' in route)) return viewHome(world)
        const key = await formatObjectKey(route.name)
        return world.room.run(async (take) => {
          const found = await world.store.get(key, (seen, size) => {
            const length = countNeeded(route, seen, size)
            take(length)
            return length
          })
          return viewObject(found, route, world)
        })
      },
    },
    world,
  )
}

/** The pages of products are made from the data alone. */
function countNeeded({ view }: ObjectRoute, seen: SeenObject, size: number): number {
  const { start } = parseNotes(seen)
  return view.page === 'main' || start === 0 ? size : start
}

/** The same page is shown with status 200 at its own address, and with 404 for others. */
function formatAddress(route: PageRoute): string {
  const { address, view } = route
  return view !== 'home' && view.page === 'unknown-product' ? `${address}/${view.status}` : address
}
