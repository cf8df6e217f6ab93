/** What the coordinator tells of the whole site: the sitemap's files and `/estado.json`. */
import { ALL_BUCKETS } from '../../domain/objects/object-key.ts'
import type { SitemapPage } from '../../domain/pages/sitemap.ts'
import {
  formatBucketFile,
  formatSitemapPage,
  HOME_SITEMAP,
  SITEMAP_INDEX,
} from '../../domain/pages/sitemap.ts'
import type { SiteState } from '../../domain/wire/site-state.ts'
import type { Content } from './content.ts'
import { REVALIDATE } from './content.ts'
import { createEtag } from '../objects/render-object.ts'
import { readCached } from './serve-cached.ts'
import type { ServeWorld } from './serve-world.ts'

export type ListingRoute = 'state' | 'index' | 'home' | { readonly bucket: number }

const STATE_PATH = '/estado.json'

/** A changed sitemap is shown after a minute: in ms. */
const SITEMAP_AGE = 60_000

const ROUTES: ReadonlyMap<string, ListingRoute> = new Map<string, ListingRoute>([
  [STATE_PATH, 'state'],
  [`/${SITEMAP_INDEX}`, 'index'],
  [`/${HOME_SITEMAP}`, 'home'],
  ...ALL_BUCKETS.map((bucket): [string, ListingRoute] => [`/${formatBucketFile(bucket)}`, { bucket }]),
])

export function routeListing(pathname: string): ListingRoute | null {
  return ROUTES.get(pathname) ?? null
}

/** Returns `null` if the coordinator fails and the cache has nothing. */
export function readListing(
  route: ListingRoute,
  pathname: string,
  world: ServeWorld,
): Promise<Content | null> {
  return readCached(
    {
      address: pathname,
      // A file that is new is in the index at once.
      findMaxAge: ({ kind }) => (route === 'state' || kind === 'none' ? world.maxAge : SITEMAP_AGE),
      load: () => loadListing(route, world),
    },
    world,
  )
}

async function loadListing(route: ListingRoute, { openLedger, renderer }: ServeWorld): Promise<Content> {
  if (route === 'state') {
    const state: SiteState = { code: renderer.code, ...(await openLedger().readSiteState()) }
    const text = `${JSON.stringify(state)}\n`
    return createTextContent(text, 'application/json', renderer)
  }
  const page = await readSitemapPage(route, openLedger)
  if (page === null) return { kind: 'none' }
  return createTextContent(formatSitemapPage(page, renderer.site.url), 'application/xml', renderer)
}

async function readSitemapPage(
  route: Exclude<ListingRoute, 'state'>,
  openLedger: ServeWorld['openLedger'],
): Promise<SitemapPage | null> {
  if (route === 'home') return { kind: 'sitemap', part: 'home' }
  if (route === 'index') return { kind: 'sitemap', part: 'index', buckets: await openLedger().readBuckets() }
  const sellers = await openLedger().readListed(route.bucket)
  return sellers.length === 0 ? null : { kind: 'sitemap', part: 'bucket', sellers }
}

async function createTextContent(
  text: string,
  type: string,
  { policy }: Pick<ServeWorld['renderer'], 'policy'>,
): Promise<Content> {
  const body = new TextEncoder().encode(text)
  return {
    kind: 'body',
    status: 200,
    body,
    type,
    etag: await createEtag(text),
    policy,
    cacheControl: REVALIDATE,
  }
}
