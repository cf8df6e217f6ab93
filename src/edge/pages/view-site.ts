/** Creates the pages that belong to no seller, from facts about the site, the store and the coordinator's answers. */
import { formatCanonicalJson } from '../../domain/documents/json.ts'
import type { PageKey } from '../../domain/documents/page-table.ts'
import { digestText } from '../../domain/objects/digest.ts'
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import { HOME_STORES } from '../../domain/pages/home.ts'
import type { TextPage } from '../../domain/pages/page.ts'
import { SITE_PAGES } from '../../domain/pages/page.ts'
import { formatCataloguePath } from '../../domain/pages/paths.ts'
import type { SiteState } from '../coordinator/object-ledger.ts'
import { parseNotes } from '../objects/object-notes.ts'
import type { Content } from './content.ts'
import type { ServeWorld } from './serve-world.ts'
import { renderContent, renderOnce } from './view-object.ts'

/** Renders a page of the site. The home page links to the stores of `HOME_STORES` that exist. */
export async function viewScreen(kind: keyof typeof SITE_PAGES, world: ServeWorld): Promise<Content> {
  const found = await Promise.all(HOME_STORES.map((store) => isThere(store, world)))
  const stores = HOME_STORES.filter((_, index) => found[index] === true)
  const page = SITE_PAGES[kind]({ stores, social: world.renderer.homePicture })
  const digest = await digestText(formatCanonicalJson(page))
  return renderOnce(`/data/${digest}/`, world, () => renderContent(page, 200, world))
}

async function isThere(seller: string, { store, assets, renderer }: ServeWorld): Promise<boolean> {
  const seen = await store.head(await formatObjectKey(seller))
  if (seen !== null) return parseNotes(seen).digest !== null
  // While a site is being moved to objects, the seller's page may still be a file.
  const address = renderer.site.url + formatCataloguePath(seller)
  return (await assets.fetch(new Request(address, { method: 'HEAD' }))).status === 200
}

export async function viewList(key: PageKey, world: ServeWorld): Promise<Content> {
  const page = await readList(key, world)
  return page === null ? { kind: 'none' } : renderContent(page, 200, world)
}

/** Returns `null` for the sitemap file of a bucket in which no seller has products. */
async function readList(
  { kind, bucket = '' }: PageKey,
  { openLedger, renderer }: ServeWorld,
): Promise<TextPage | null> {
  if (kind === 'sitemap-home') return { kind }
  const ledger = openLedger()
  if (kind === 'sitemap-index') return { kind, buckets: await ledger.readBuckets() }
  if (kind === 'sitemap-bucket') {
    const sellers = await ledger.readListed(Number.parseInt(bucket, 16))
    return sellers.length === 0 ? null : { kind, sellers }
  }
  const state: SiteState & { readonly code: string } = {
    code: renderer.code,
    ...(await ledger.readSiteState()),
  }
  return { kind: 'state', state }
}
