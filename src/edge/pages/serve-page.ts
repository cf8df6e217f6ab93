/** Reads the content for the address of a page from the cache, the store or the coordinator. */
import { findEntry, isOfSeller, isSiteKind } from '../../domain/documents/page-table.ts'
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import type { Content } from './content.ts'
import { parseNotes } from '../objects/object-notes.ts'
import type { SeenObject } from '../objects/object-store.ts'
import type { PageRoute } from './route-page.ts'
import { readCached } from './serve-cached.ts'
import type { ServeWorld } from './serve-world.ts'
import type { SellerRoute } from './view-object.ts'
import { viewObject } from './view-object.ts'
import { viewList, viewScreen } from './view-site.ts'

/** Max age of a sitemap, in ms. */
const SITEMAP_AGE = 60_000

/** Returns `null` if the page cannot be read or rendered, and the cache has no entry. */
export function readServedPage(route: PageRoute, world: ServeWorld): Promise<Content | null> {
  const { from } = findEntry(route.key.kind)
  return readCached(
    {
      address: formatAddress(route),
      // A missing sitemap file is fresh for a shorter time than an existing one, because the index of the sitemap may
      // list the file as soon as it exists.
      findMaxAge: ({ kind }) => (from === 'sellers' && kind !== 'none' ? SITEMAP_AGE : world.maxAge),
      load: () => {
        const { key } = route
        if (isOfSeller(key)) return viewStored({ ...route, key }, world)
        return isSiteKind(key.kind) ? viewScreen(key.kind, world) : viewList(key, world)
      },
    },
    world,
  )
}

async function viewStored(route: SellerRoute, world: ServeWorld): Promise<Content> {
  const key = await formatObjectKey(route.key.seller)
  return world.room.run(async (take) => {
    const found = await world.store.get(key, (seen, size) => {
      const length = countNeeded(route, seen, size)
      take(length)
      return length
    })
    return viewObject(found, route, world)
  })
}

/**
 * Returns how many bytes of the object the page needs. Only the catalogue is stored as HTML; other pages need only the
 * data before the HTML. If the number of bytes before the HTML is unknown (0), returns the whole size.
 */
function countNeeded({ key }: SellerRoute, seen: SeenObject, size: number): number {
  const { start } = parseNotes(seen)
  return key.kind === 'catalogue' || start === 0 ? size : start
}

/**
 * Returns the page's address in the cache. A seller's page for unknown products is cached once per status, because its
 * status is 200 at its own path and 404 at all others.
 */
function formatAddress({ address, key, status }: PageRoute): string {
  return key.kind === 'unknown-product' ? `${address}/${status}` : address
}
