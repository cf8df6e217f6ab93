/**
 * Compares two sites, one with a hostile seller and one without: everything of honest sellers must be the same. Each
 * check throws a `Difference` if it fails.
 */
import { ALL_BUCKETS } from '../../../src/domain/objects/object-key.ts'
import { isDeepStrictEqual } from 'node:util'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import type { FoundProduct, FoundSeller, SearchAnswer } from '../../../src/domain/pages/found-products.ts'
import { MOST_FOUND, MOST_OF_SELLER } from '../../../src/domain/search/search-answer.ts'
import { IDENTITY_FILE } from '../../../src/builder/state/output/output-identity.ts'
import { SELLERS } from '../equivalence/change-documents.ts'
import { fail } from '../difference.ts'
import type { SiteFiles } from '../site/site-files.ts'
import { compareSites } from '../site/site-files.ts'
import type { ProvenSite, PublishedFiles } from './fed-site.ts'

/** Names of honest sellers and of their products: whole, cut off, and misspelt. */
const QUERIES = [
  'rosa',
  'ambar',
  'zarzamora',
  'ñandú',
  'el ella',
  'rosa perez',
  'ros',
  'zarza',
  'ambar rosa',
  'zarzamorra',
  'nandv',
]
/** JSON of the entry that is sent to the search index for a removed seller. */
const NOTHING = 'null'

/**
 * Compares all files except the marker, the sitemap's files and the files of the hostile seller `her`. Also compares
 * the addresses in the sitemap, without those of this seller.
 */
export function compareFiles(withHer: SiteFiles, without: SiteFiles, her: string): void {
  const [sitemap, pages] = [listSitemap(withHer, her), withoutLists(withHer, her)]
  fail(compareSites(pages, withoutLists(without, her)))
  const expected = listSitemap(without, her)
  if (!isDeepStrictEqual(sitemap, expected))
    fail([`the sitemap lists ${sitemap.join()} instead of ${expected.join()}`])
}

function withoutLists(files: SiteFiles, her: string): SiteFiles {
  const isOwn = (path: string): boolean =>
    path === `catalogo/${her}.html` || path.startsWith(`catalogo/${her}/`)
  const isList = (path: string): boolean => path === 'sitemap.xml' || path.startsWith('sitemaps/')
  return new Map([...files].filter(([path]) => !isOwn(path) && !isList(path) && path !== IDENTITY_FILE))
}

/**
 * Returns a line for each address in the sitemap, with the path of the sitemap file. Omits the hostile seller's
 * addresses.
 */
function listSitemap(files: SiteFiles, her: string): readonly string[] {
  const own = `${formatCataloguePath(her).replaceAll("'", '&apos;')}</loc>`
  return [...files].flatMap(([path, bytes]) => {
    if (!path.startsWith('sitemaps/')) return []
    const lines = bytes.toString().match(/<url>.*<\/url>/g) ?? []
    return lines.filter((line) => !line.includes(own)).map((line) => `${path} ${line}`)
  })
}

/** Compares the entries that were sent to the index, except those of the hostile seller. */
export function compareFeeds(withHer: PublishedFiles, without: PublishedFiles, her: string): void {
  const sellers = new Set([...withHer.sent.keys(), ...without.sent.keys()])
  sellers.delete(her)
  // An owner who is not among `SELLERS` never had a page, so the index has no entry to remove. For such an owner, an
  // entry that was not sent counts as a removal.
  const read = ({ sent }: PublishedFiles, seller: string): string | undefined =>
    sent.get(seller) ?? (SELLERS.includes(seller) ? undefined : NOTHING)
  fail(
    [...sellers]
      .map((seller) => ({ seller, has: read(withHer, seller), expected: read(without, seller) }))
      .filter(({ has, expected }) => has !== expected)
      .map(({ seller, has, expected }) => `the feed sent ${has} for ${seller}\n  instead of ${expected}`),
  )
}

/** Compares the entries of the other sellers in the index, and the answers to some queries. */
export async function compareSearch(
  withHer: ProvenSite['index'],
  without: ProvenSite['index'],
  her: string,
): Promise<void> {
  const [has, expected] = [await listIndexed(withHer, her), await listIndexed(without, her)]
  if (expected.length === 0) throw new Error('the index has no honest seller: nothing was compared')
  if (!isDeepStrictEqual(has, expected))
    fail([`the index has ${has.join()}\n  instead of ${expected.join()}`])
  for (const query of QUERIES)
    fail(compareAnswers(query, await withHer.search(query), await without.search(query), her))
}

async function listIndexed(index: ProvenSite['index'], her: string): Promise<readonly string[]> {
  const buckets = ALL_BUCKETS.map((bucket) => index.openBucket(bucket).listSellers(bucket, null))
  const sellers = (await Promise.all(buckets)).flat()
  return sellers.flatMap(({ seller, digest }) =>
    seller === her || digest === null ? [] : [`${seller} ${digest}`],
  )
}

function compareAnswers(
  query: string,
  withHer: SearchAnswer,
  without: SearchAnswer,
  her: string,
): readonly string[] {
  const others = {
    ...withHer,
    products: withHer.products.filter(({ seller }) => seller.id !== her),
    sellers: withHer.sellers.filter(({ id }) => id !== her),
  }
  const isWithHer =
    others.products.length < withHer.products.length || others.sellers.length < withHer.sellers.length
  const [has, expected] = isWithHer ? [listFirst(others), listFirst(without)] : [others, without]
  if (isDeepStrictEqual(has, expected)) return []
  return [`the query ${query} finds ${JSON.stringify(has)}\n  instead of ${JSON.stringify(expected)}`]
}

/**
 * Lists results that a hostile seller cannot displace: the first available products of each seller, and the first
 * sellers. Omits results for misspelt words, because an exact result of the hostile seller ranks before them.
 */
function listFirst({ products, sellers }: SearchAnswer): readonly (FoundProduct | FoundSeller)[] {
  const spelt = products.filter(({ match, product }) => isSpelt(match) && product.available)
  const first = [...Map.groupBy(spelt, ({ seller }) => seller.id).values()].flatMap((all) =>
    all.slice(0, MOST_OF_SELLER),
  )
  return [
    ...spelt.filter((one) => first.includes(one)).slice(0, MOST_FOUND.products - MOST_OF_SELLER),
    ...sellers.filter(({ match }) => isSpelt(match)).slice(0, MOST_FOUND.sellers - 1),
  ]
}

function isSpelt(match: FoundProduct['match']): boolean {
  return match === 'whole' || match === 'beginning'
}
