/**
 * Decides whether the site in the output folder may be published. Refused are the site of a run that did not end, a
 * local address, the bundled sample, a site that lacks the catalogues of many sellers, more products than the search
 * holds, and files that the public place does not take.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatCatalogueFile } from '../../domain/pages/paths.ts'
import type { Site } from '../../domain/pages/site.ts'
import { LARGEST_FILE } from '../../domain/pages/site.ts'
import { MOST_SEARCHED } from '../../domain/search/search-file.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { MARKER, parseMarker } from '../../domain/wire/site-marker.ts'
import { isTooMuch } from '../../domain/work/large-share.ts'
import { ROOT } from '../files/project-folder.ts'
import { UsageError } from '../files/usage-error.ts'
import { formatCount, formatNumber } from '../format-numbers.ts'
import type { Output } from '../state/output.ts'
import { listFilesBelow } from '../state/output.ts'
import type { SiteState } from '../state/site-state.ts'
import { PublishError } from './publish-error.ts'

const SAMPLE = join(ROOT, 'src/builder/sources/sample/cataloge.ndjson')

/** Max products that are read of a seller of the sample, who has far fewer. */
const MOST_READ = 10_000

/** Max static assets. Source: https://developers.cloudflare.com/workers/platform/limits/ */
const MOST_FILES = { free: 20_000, paid: 100_000 }

/** Files that configure the assets and are not served. */
const RULES = ['_headers', '_redirects', '.assetsignore']

interface VerifiedSite {
  readonly site: Site
  readonly state: Pick<SiteState, 'read' | 'readCatalogue' | 'readTotals' | 'readFailed'>
  readonly output: Pick<Output, 'read' | 'has' | 'list'>
  /** The output folder. */
  readonly folder: string
  /** True if the number of files is limited. */
  readonly isLimited: boolean
  /** True unless only pages and their lists were written, whose size the rebuild limits. */
  readonly isWhole: boolean
  readonly warn: (text: string) => void
}

/** Returns the marker of the site. If a check fails, throws a `UsageError` or a `PublishError` that says what to do. */
export function verifySite(verified: VerifiedSite): SiteMarker {
  checkAddress(verified.site)
  const marker = readEnded(verified)
  checkSample(verified)
  checkFailed(verified)
  checkSearch(verified)
  checkFiles(verified)
  return marker
}

/** Throws a `UsageError` for an address that only this machine can reach. */
function checkAddress({ url }: Site): void {
  const { hostname } = new URL(url)
  if (hostname !== 'localhost' && !hostname.endsWith('.localhost')) return
  throw new UsageError(
    `SITE_URL is ${url}: set it to the address that visitors use, in the environment or in .env, and try again.`,
  )
}

/** The state forgets its closed run as soon as something is due, so nothing but failed pages is due here. */
function readEnded({ state, output }: VerifiedSite): SiteMarker {
  const bytes = output.read(MARKER)
  const marker = bytes === null ? null : parseMarker(new TextDecoder().decode(bytes))
  if (marker?.state === 'closed' && state.read('closed')?.run === marker.run) return marker
  throw new PublishError(
    'The rebuild did not end, or the output folder and the state folder are not of the same run: run again.',
  )
}

function checkSample({ state }: VerifiedSite): void {
  const known = [...readSampleProducts()].flatMap(([seller, ids]) =>
    (state.readCatalogue(seller, MOST_READ)?.products ?? []).filter(({ id }) => ids.has(id)),
  )
  if (known.length === 0 || known.length * 2 < state.readTotals().products) return
  throw new UsageError(
    'At least half of the products are those of the bundled sample, which is never published: set CATALOGUE_SOURCE to the real documents, and try again.',
  )
}

/** For example, if the state was lost and new code fails for many sellers: the live site may still have their pages. */
function checkFailed({ state, output }: VerifiedSite): void {
  const failed = state.readFailed().filter(({ seller }) => seller !== '')
  const missing = failed.filter(({ seller }) => !output.has(formatCatalogueFile(seller)))
  const { sellers } = state.readTotals()
  if (!isTooMuch(missing.length, sellers)) return
  throw new PublishError(
    `The catalogues of ${formatNumber(missing.length)} of ${formatCount(sellers, 'seller')} failed and have no earlier version, so the site would lack them: npm run rebuild lists the failed pages with their reasons. Correct the code, and try again.`,
  )
}

function checkSearch({ site, state }: VerifiedSite): void {
  const { products } = state.readTotals()
  if (site.search && products > MOST_SEARCHED)
    throw new UsageError(
      `The search holds at most ${formatNumber(MOST_SEARCHED)} products, and this site has ${formatNumber(products)}: set SEARCH=off, and try again.`,
    )
}

function checkFiles({ output, folder, isLimited, isWhole, warn }: VerifiedSite): void {
  // Listing a large site would take longer than the rest of a small change.
  if (!isLimited && !isWhole) return
  const files = listFilesBelow(output, '').filter((path) => !RULES.includes(path))
  const large = files.find((path) => statSync(join(folder, path)).size > LARGEST_FILE)
  if (large !== undefined)
    throw new PublishError(
      `The site cannot be published: ${large} is larger than Cloudflare allows (25 MiB). If it is from the public folder, make it smaller there.`,
    )
  if (!isLimited) return
  const [count, { free, paid }] = [files.length, MOST_FILES]
  const advice = 'HOSTING=bucket has no limit'
  if (count > paid)
    throw new PublishError(
      `The site cannot be published: Cloudflare takes ${formatNumber(paid)} files, and it has ${formatNumber(count)}: ${advice}.`,
    )
  const limit = [free, paid].find((most) => count <= most && count >= most * 0.8)
  if (limit !== undefined)
    warn(`deploy: the site has ${formatNumber(count)} of at most ${formatNumber(limit)} files: ${advice}`)
}

/** Returns the ids of the bundled sample's products by the id of their seller. */
export function readSampleProducts(): ReadonlyMap<string, ReadonlySet<string>> {
  const sellers = new Map<string, Set<string>>()
  for (const line of readFileSync(SAMPLE, 'utf8').split('\n').filter(Boolean)) {
    const { id, data }: { id: string; data: { owner?: { id?: string } } } = JSON.parse(line)
    const seller = data.owner?.id ?? ''
    sellers.set(seller, (sellers.get(seller) ?? new Set()).add(id))
  }
  return sellers
}
