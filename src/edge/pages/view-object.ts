/**
 * Creates the content of one address from an object. The catalogue is shown as stored, unless other code made the
 * object. All other pages are rendered from the object's data. Except for text pages, the data centre's cache keeps
 * them by the digest of the data, because equal data and code give equal pages. Nothing is written to the store.
 */
import { readMessage } from '../../domain/documents/errors.ts'
import { isTextKind } from '../../domain/documents/page-table.ts'
import type { SellerPageKey } from '../../domain/documents/page-table.ts'
import type { SellerData } from '../../domain/objects/object-data.ts'
import { createObjectPage, FORMAT } from '../../domain/objects/object-data.ts'
import type { Page } from '../../domain/pages/page.ts'
import {
  createUnknownCataloguePage,
  createUnknownProductPage,
  formatText,
  isText,
} from '../../domain/pages/page.ts'
import { formatCataloguePath } from '../../domain/pages/paths.ts'
import { parseObjectData } from '../../domain/wire/seller-body.ts'
import type { Content } from './content.ts'
import { createPageContent } from './content.ts'
import { parseNotes } from '../objects/object-notes.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { StoredPage } from '../objects/page-object.ts'
import { parsePageObject } from '../objects/page-object.ts'
import { createEtag } from '../objects/render-object.ts'
import type { PageRoute } from './route-page.ts'
import type { ServeWorld } from './serve-world.ts'

type ViewWorld = Pick<ServeWorld, 'renderer' | 'cache' | 'now' | 'later' | 'log'>

export type SellerRoute = Omit<PageRoute, 'canonical'> & { readonly key: SellerPageKey }

/**
 * `stored` is `null` if there is no object. Rejects for bytes that are not an object, and for a text page whose data
 * cannot be read.
 */
export async function viewObject(
  stored: StoredObject | null,
  route: SellerRoute,
  world: ViewWorld,
): Promise<Content> {
  if (stored === null) return { kind: 'none' }
  const object = parsePageObject(stored.bytes)
  // Not left to the assets, because the deployment may still have the files of a seller who is gone.
  if (object.kind === 'gone') return renderContent(createUnknownCataloguePage(), 404, world)
  const { kind, seller } = route.key
  const isMain = kind === 'catalogue'
  if (isMain && object.code === world.renderer.code) return showStored(object)
  if (object.format === FORMAT) {
    try {
      const render = async (): Promise<Content> => renderView(readKnown(object, seller, world), route, world)
      const { digest } = parseNotes(stored)
      // Text pages are not cached by the digest of their data: the hash of the code in the cache key does not cover the
      // code that formats them, and formatting is fast.
      const isKept = digest !== null && !isTextKind(kind)
      return isKept ? await renderOnce(formatKey(route, digest), world, render) : await render()
    } catch (error) {
      world.log(`pages: ${route.address} cannot be rendered: ${readMessage(error)}`)
    }
  }
  if (isTextKind(kind)) throw new Error(`${route.address} cannot be made from the stored data`)
  // The page cannot be rendered. The catalogue is shown as stored. The seller's other pages are not stored, so their
  // addresses redirect to the catalogue, which shows all products.
  return isMain ? showStored(object) : { kind: 'elsewhere', to: formatCataloguePath(seller) }
}

/**
 * Returns the data of the object. Throws if the data is damaged, or if other code made the object and this code cannot
 * read its data.
 */
function readKnown(object: StoredPage, name: string, { renderer }: Pick<ViewWorld, 'renderer'>): SellerData {
  const data = object.readData()
  if (object.code === renderer.code) return data
  const known = parseObjectData({ name, data })
  if (known === null || 'problem' in known) throw new Error(known?.problem ?? 'the object has no data')
  return known
}

function showStored({ html, etag, policy }: StoredPage): Content {
  return createPageContent('catalogue', { status: 200, body: html, etag, policy })
}

/** Returns the key of the page in the cache, which differs from every address of the site. */
function formatKey({ address, key, status }: SellerRoute, digest: string): string {
  return `/data/${digest}${address}${key.kind === 'unknown-product' ? `/${status}` : ''}`
}

/**
 * Returns the cached page of this key, or renders the page. Equal keys must mean equal data; the cache adds the hash of
 * the code to each key.
 */
export async function renderOnce(
  key: string,
  { cache, now, later }: ViewWorld,
  render: () => Promise<Content>,
): Promise<Content> {
  const held = await cache.read(key)
  if (held !== null) return held.content
  const begun = now()
  return (await cache.keep(key, { begun, content: await render() }, later)).content
}

async function renderView(
  data: SellerData,
  { key, status }: SellerRoute,
  world: ViewWorld,
): Promise<Content> {
  const page = createObjectPage(data, key)
  return page === null
    ? renderContent(createUnknownProductPage(data), 404, world)
    : renderContent(page, status, world)
}

export async function renderContent(
  page: Page,
  status: 200 | 404,
  { renderer }: Pick<ViewWorld, 'renderer'>,
): Promise<Content> {
  const text = isText(page) ? formatText(page, renderer.site) : await renderer.render(page)
  const body = new TextEncoder().encode(text)
  return createPageContent(page.kind, { status, body, etag: await createEtag(text), policy: renderer.policy })
}
