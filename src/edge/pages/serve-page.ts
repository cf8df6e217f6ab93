/** Answers the addresses of pages. */
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import type { Content } from './content.ts'
import type { PageRoute } from './route-page.ts'
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
        const found = await world.store.get(await formatObjectKey(route.name))
        return viewObject(found, route, world)
      },
    },
    world,
  )
}

/** The same page is shown with status 200 at its own address, and with 404 for others. */
function formatAddress(route: PageRoute): string {
  const { address, view } = route
  return view !== 'home' && view.page === 'unknown-product' ? `${address}/${view.status}` : address
}
