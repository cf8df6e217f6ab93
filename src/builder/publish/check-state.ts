/**
 * Decides whether the site in the output folder may be published. Refused are the site of a run that did not end or of
 * another state, a local address, other settings than the present ones, the bundled sample, a site that lacks the
 * catalogues of many sellers, and more products than the search holds.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatCanonicalJson } from '../../domain/documents/json.ts'
import { formatCatalogueFile } from '../../domain/pages/paths.ts'
import type { Site } from '../../domain/pages/site.ts'
import { MOST_SEARCHED } from '../../domain/search/search-file.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { MARKER, parseMarker } from '../../domain/wire/site-marker.ts'
import { isTooMuch } from '../../domain/work/large-share.ts'
import { formatCount, formatNumber } from '../format-numbers.ts'
import type { Basis } from '../rebuild/basis.ts'
import { parseBasis } from '../rebuild/basis.ts'
import type { Output } from '../state/output.ts'
import { ROOT } from '../files/project-folder.ts'
import type { ClosedRun, SiteState } from '../state/site-state.ts'
import { UsageError } from '../files/usage-error.ts'
import { PublishError } from './publish-error.ts'

const SAMPLE = join(ROOT, 'src/builder/sources/sample/cataloge.ndjson')

/** Max products that are read of a seller of the sample, who has far fewer. */
const MOST_READ = 10_000

interface BuiltSite {
  readonly site: Site
  /** The present settings, named as in the basis of a rebuild. */
  readonly settings: Basis['settings']
  readonly state: Pick<SiteState, 'read' | 'readCatalogue' | 'readTotals' | 'readFailed'>
  readonly output: Pick<Output, 'read' | 'has'>
  /** Ids of the bundled sample's products, by the id of their seller. */
  readonly sample: ReadonlyMap<string, ReadonlySet<string>>
}

/** Returns the marker of the site. If a check fails, throws a `UsageError` or a `PublishError` that says what to do. */
export function checkState(built: BuiltSite): SiteMarker {
  checkAddress(built.site)
  const { marker, closed } = readEnded(built)
  checkSettings(built.settings, closed)
  checkSample(built)
  checkFailed(built)
  checkSearch(built)
  return marker
}

function checkAddress({ url }: Site): void {
  const { hostname } = new URL(url)
  if (hostname !== 'localhost' && !hostname.endsWith('.localhost')) return
  throw new UsageError(
    `SITE_URL is ${url}: set it to the address that visitors use, in the environment or in .env, then run npm run rebuild and try again.`,
  )
}

/** The state forgets its closed run as soon as something is due, so nothing but failed pages is due here. */
function readEnded({ state, output }: BuiltSite): {
  readonly marker: SiteMarker
  readonly closed: ClosedRun
} {
  const bytes = output.read(MARKER)
  const marker = bytes === null ? null : parseMarker(new TextDecoder().decode(bytes))
  const closed = state.read('closed')
  if (marker?.state === 'closed' && closed?.run === marker.run) return { marker, closed }
  throw new PublishError(
    marker === null
      ? 'There is no site in the output folder: run npm run rebuild, then try again.'
      : 'The last rebuild did not end, or the output folder and the state folder are not of the same run: run npm run rebuild, then try again.',
  )
}

function checkSettings(settings: Basis['settings'], { basis }: ClosedRun): void {
  const rendered = parseBasis(basis).settings
  if (formatCanonicalJson(rendered) === formatCanonicalJson(settings)) return
  throw new PublishError(
    `The pages were rendered with other settings (SITE_URL ${String(rendered['SITE_URL'])}): run npm run rebuild with the present settings, then try again.`,
  )
}

function checkSample({ state, sample }: BuiltSite): void {
  const known = [...sample].flatMap(([seller, ids]) =>
    (state.readCatalogue(seller, MOST_READ)?.products ?? []).filter(({ id }) => ids.has(id)),
  )
  if (known.length === 0 || known.length * 2 < state.readTotals().products) return
  throw new UsageError(
    'At least half of the products are those of the bundled sample, which is never published: set CATALOGUE_SOURCE to the real documents, run npm run rebuild, then try again.',
  )
}

/** For example, if the state was lost and new code fails for many sellers: the live site may still have their pages. */
function checkFailed({ state, output }: BuiltSite): void {
  const failed = state.readFailed().filter(({ seller }) => seller !== '')
  const missing = failed.filter(({ seller }) => !output.has(formatCatalogueFile(seller)))
  const { sellers } = state.readTotals()
  if (!isTooMuch(missing.length, sellers)) return
  throw new PublishError(
    `The catalogues of ${formatNumber(missing.length)} of ${formatCount(sellers, 'seller')} failed and have no earlier version, so the site would lack them: npm run rebuild lists the failed pages with their reasons. Correct the code, run npm run rebuild, then try again.`,
  )
}

function checkSearch({ site, state }: BuiltSite): void {
  const { products } = state.readTotals()
  if (site.search && products > MOST_SEARCHED)
    throw new UsageError(
      `The search holds at most ${formatNumber(MOST_SEARCHED)} products, and this site has ${formatNumber(products)}: set SEARCH=off, run npm run rebuild, then try again.`,
    )
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
