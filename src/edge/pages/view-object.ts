/**
 * Creates the content of one address from an object. The page of an object of other code, and those of products, are rendered
 * from its data. The data centre keeps them: equal data and code make equal pages. Nothing is written to the store.
 */
import { readMessage } from '../../domain/documents/errors.ts'
import type { ObjectData, SellerData } from '../../domain/objects/object-data.ts'
import { createProductPage, createUnknownProductPage, FORMAT } from '../../domain/objects/object-data.ts'
import type { ScreenPage } from '../../domain/pages/page.ts'
import type { Content } from './content.ts'
import { createPageContent } from './content.ts'
import { parseNotes } from './object-notes.ts'
import type { StoredObject } from './object-store.ts'
import type { StoredPage } from './page-object.ts'
import { parsePageObject } from './page-object.ts'
import { createEtag, createMainPage } from './render-object.ts'
import type { ObjectView, PageRoute } from './route-page.ts'
import { formatMainAddress } from './route-page.ts'
import type { ServeWorld } from './serve-world.ts'

export type ViewWorld = Pick<ServeWorld, 'renderer' | 'cache' | 'now' | 'later' | 'log'>

/** `stored` is `null` if there is no object. Throws for bytes that are none. */
export async function viewObject(
  stored: StoredObject | null,
  route: Pick<PageRoute, 'name' | 'view' | 'address'>,
  world: ViewWorld,
): Promise<Content> {
  const object = stored === null ? null : parsePageObject(stored.bytes)
  if (stored === null || object === null || object.kind === 'gone') return { kind: 'none' }
  const isMain = route.view.page === 'main'
  if (isMain && object.code === world.renderer.code) return showStored(object)
  if (object.format === FORMAT) {
    try {
      return await renderOnce(route, parseNotes(stored).digest, world, () =>
        renderView(object.readData(), route.view, world),
      )
    } catch (error) {
      world.log(`pages: a page cannot be rendered: ${readMessage(error)}`)
    }
  }
  // As it was stored. A product's page is not, but the catalogue has its card.
  return isMain ? showStored(object) : { kind: 'elsewhere', to: formatMainAddress(route.name) }
}

function showStored({ html, etag, policy }: StoredPage): Content {
  return createPageContent({ body: html, etag, policy }, 200)
}

/** The cache knows the code. `digest` is that of the data. */
async function renderOnce(
  { address, view }: Pick<PageRoute, 'address' | 'view'>,
  digest: string | null,
  { cache, now, later }: ViewWorld,
  render: () => Promise<Content>,
): Promise<Content> {
  if (digest === null) return render()
  const status = view.page === 'unknown-product' ? `/${view.status}` : ''
  const key = `/data/${digest}${address}${status}`
  const held = await cache.read(key)
  if (held !== null) return held.content
  const begun = now()
  return (await cache.keep(key, { begun, content: await render() }, later)).content
}

async function renderView(data: ObjectData, view: ObjectView, world: ViewWorld): Promise<Content> {
  if (view.page === 'main') return renderContent(createMainPage(data), 200, world)
  const seller = data as SellerData
  const product = view.page === 'product' ? createProductPage(seller, view.id) : null
  if (product !== null) return renderContent(product, 200, world)
  return renderContent(createUnknownProductPage(seller), view.page === 'product' ? 404 : view.status, world)
}

async function renderContent(
  page: ScreenPage,
  status: 200 | 404,
  { renderer }: Pick<ViewWorld, 'renderer'>,
): Promise<Content> {
  const html = await renderer.render(page)
  const body = new TextEncoder().encode(html)
  return createPageContent({ body, etag: await createEtag(html), policy: renderer.policy }, status)
}
