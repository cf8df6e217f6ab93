/**
 * The sitemap: an index, and files that list the home page and the catalogues with products. Source:
 * https://www.sitemaps.org/protocol.html
 */
import { escapeXml } from '../documents/escape.ts'
import type { PageKey } from '../documents/page-table.ts'
import { findEntry, listSellerKinds, listSiteKinds } from '../documents/page-table.ts'
import { formatPagePath } from '../documents/page-address.ts'

export type ListedSeller = {
  readonly seller: string
  /** Newest update of the seller's documents, RFC 3339 in UTC; empty when unknown. */
  readonly updated: string
}

/** A file of the sitemap: the index, the pages without a seller, or the catalogues of one bucket. */
export type SitemapPage =
  | { readonly kind: 'sitemap-index'; readonly buckets: readonly number[] }
  | { readonly kind: 'sitemap-home' }
  | { readonly kind: 'sitemap-bucket'; readonly sellers: readonly ListedSeller[] }

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

function createBucketKey(bucket: number): PageKey {
  const digits = bucket.toString(16).padStart(2, '0')
  return { kind: 'sitemap-bucket', seller: null, product: null, bucket: digits }
}

/** `url` is the origin of the site, here and below. */
export function formatSitemapIndex(url: string, buckets: readonly number[]): string {
  const home: PageKey = { kind: 'sitemap-home', seller: null, product: null }
  const paths = [home, ...buckets.map(createBucketKey)].map(formatPagePath)
  const items = paths.map((path) => `<sitemap><loc>${escapeXml(url + path)}</loc></sitemap>\n`)
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${items.join('')}</sitemapindex>\n`
}

export function formatSitemap(url: string, sellers: readonly ListedSeller[]): string {
  const listed = listSellerKinds().filter((kind) => findEntry(kind).isListed === true)
  const items = sellers.flatMap(({ seller, updated }) =>
    listed.map((kind) => formatUrl(url + formatPagePath({ kind, seller, product: null }), updated)),
  )
  return formatUrls(items)
}

export function formatHomeSitemap(url: string): string {
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
