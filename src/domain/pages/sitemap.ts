/** The sitemap: an index, and files that list the catalogues with products. Source: https://www.sitemaps.org/protocol.html */
import { findEntry, formatPagePath, listSellerKinds, listSiteKinds } from '../documents/page-table.ts'

export type ListedSeller = {
  readonly seller: string
  /** Newest update of the seller's documents, RFC 3339 in UTC; empty when unknown. */
  readonly updated: string
}

/** A file of the sitemap: the index, the pages without a seller, or the catalogues of one bucket. */
export type SitemapPage =
  | { readonly kind: 'sitemap'; readonly part: 'index'; readonly buckets: readonly number[] }
  | { readonly kind: 'sitemap'; readonly part: 'home' }
  | { readonly kind: 'sitemap'; readonly part: 'bucket'; readonly sellers: readonly ListedSeller[] }

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

export const SITEMAP_INDEX = 'sitemap.xml'

/** The file that lists the pages without a seller. */
export const HOME_SITEMAP = 'sitemaps/home.xml'

/** `3` gives `sitemaps/03.xml`. */
export function formatBucketFile(bucket: number): string {
  return `sitemaps/${bucket.toString(16).padStart(2, '0')}.xml`
}

/** `url` is the origin of the site. */
export function formatSitemapPage(page: SitemapPage, url: string): string {
  if (page.part === 'index') return formatSitemapIndex(url, page.buckets)
  return page.part === 'home' ? formatHomeSitemap(url) : formatSitemap(url, page.sellers)
}

function formatSitemapIndex(url: string, buckets: readonly number[]): string {
  const files = [HOME_SITEMAP, ...buckets.map(formatBucketFile)]
  const items = files.map((file) => `<sitemap><loc>${escapeXml(`${url}/${file}`)}</loc></sitemap>\n`)
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${items.join('')}</sitemapindex>\n`
}

function formatSitemap(url: string, sellers: readonly ListedSeller[]): string {
  const listed = listSellerKinds().filter((kind) => findEntry(kind).isListed === true)
  const items = sellers.flatMap(({ seller, updated }) =>
    listed.map((kind) => formatUrl(url + formatPagePath({ kind, seller, product: null }), updated)),
  )
  return formatUrls(items)
}

function formatHomeSitemap(url: string): string {
  const listed = listSiteKinds().filter((kind) => findEntry(kind).isListed === true)
  const keys = listed.map((kind) => ({ kind, seller: null, product: null }))
  return formatUrls(keys.map((key) => formatUrl(url + formatPagePath(key), '')))
}

function formatUrls(items: readonly string[]): string {
  return `${HEAD}<urlset xmlns="${NAMESPACE}">\n${items.join('')}</urlset>\n`
}

function formatUrl(location: string, updated: string): string {
  const time = updated === '' ? '' : `<lastmod>${escapeXml(updated)}</lastmod>`
  return `<url><loc>${escapeXml(location)}</loc>${time}</url>\n`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
