/** Creates the home page. It links those of its stores that exist. */
import { digestText } from '../../domain/objects/digest.ts'
import { formatCanonicalJson } from '../../domain/documents/json.ts'
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import { HOME_STORES } from '../../domain/pages/home.ts'
import type { HomePage } from '../../domain/pages/page.ts'
import { formatCataloguePath } from '../../domain/pages/paths.ts'
import type { Content } from './content.ts'
import { parseNotes } from '../objects/object-notes.ts'
import type { ServeWorld } from './serve-world.ts'
import { renderContent, renderOnce } from './view-object.ts'

export async function viewHome(world: ServeWorld): Promise<Content> {
  const found = await Promise.all(HOME_STORES.map((store) => isThere(store, world)))
  const stores = HOME_STORES.filter((_, index) => found[index] === true)
  const page: HomePage = { kind: 'home', stores, social: world.renderer.homePicture }
  const digest = await digestText(formatCanonicalJson(page))
  return renderOnce(`/data/${digest}/`, world, () => renderContent(page, 200, world))
}

async function isThere(seller: string, { store, assets, renderer }: ServeWorld): Promise<boolean> {
  const seen = await store.head(await formatObjectKey(seller))
  if (seen !== null) return parseNotes(seen).digest !== null
  // While a site moves to objects her page may be a file.
  const address = renderer.site.url + formatCataloguePath(seller)
  return (await assets.fetch(new Request(address, { method: 'HEAD' }))).status === 200
}
