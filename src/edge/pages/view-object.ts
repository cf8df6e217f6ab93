/** Creates the content of one address from an object. An object of other code is rendered from its data; nothing is written. */
import type { SellerData } from '../../domain/objects/object-data.ts'
import { createProductPage, createUnknownProductPage, FORMAT } from '../../domain/objects/object-data.ts'
import type { ScreenPage } from '../../domain/pages/page.ts'
import type { EdgeRenderer } from './edge-renderer.ts'
import type { Content } from './content.ts'
import { createPageContent } from './content.ts'
import type { PageObject, StoredPage } from './page-object.ts'
import { createEtag, createMainPage } from './render-object.ts'
import type { ObjectView, PageRoute } from './route-page.ts'
import { formatMainAddress } from './route-page.ts'
import { readMessage } from '../../domain/documents/errors.ts'

export interface ViewOptions {
  readonly renderer: EdgeRenderer
  readonly log: (line: string) => void
}

/** `object` is `null` if there is none. */
export async function viewObject(
  object: PageObject | null,
  { name, view }: Pick<PageRoute, 'name' | 'view'>,
  options: ViewOptions,
): Promise<Content> {
  if (object === null || object.kind === 'gone') return { kind: 'none' }
  const { renderer, log } = options
  const isMain = view.page === 'main'
  if (isMain && object.code === renderer.code) return showStored(object)
  if (object.format === FORMAT) {
    try {
      return isMain
        ? await renderContent(createMainPage(object.readData()), 200, renderer)
        : await renderView(object, view, renderer)
    } catch (error) {
      log(`pages: a page cannot be rendered: ${readMessage(error)}`)
    }
  }
  // As it stands. A product's page does not, but the catalogue has its card.
  return isMain ? showStored(object) : { kind: 'elsewhere', to: formatMainAddress(name) }
}

function showStored({ html, etag, policy }: StoredPage): Content {
  return createPageContent({ body: html, etag, policy }, 200)
}

async function renderView(
  object: StoredPage,
  view: Exclude<ObjectView, { page: 'main' }>,
  renderer: EdgeRenderer,
): Promise<Content> {
  const data = object.readData() as SellerData
  const product = view.page === 'product' ? createProductPage(data, view.id) : null
  if (product !== null) return renderContent(product, 200, renderer)
  const status = view.page === 'product' ? 404 : view.status
  return renderContent(createUnknownProductPage(data), status, renderer)
}

async function renderContent(page: ScreenPage, status: 200 | 404, renderer: EdgeRenderer): Promise<Content> {
  const html = await renderer.render(page)
  const body = new TextEncoder().encode(html)
  return createPageContent({ body, etag: await createEtag(html), policy: renderer.policy }, status)
}
