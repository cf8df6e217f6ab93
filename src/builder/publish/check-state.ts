/**
 * Refuses to publish a site with a local address, with pages that were rendered with other settings than the present
 * ones, with half or more of its products from the bundled sample, without the catalogues of many sellers, or with more
 * products than the search holds. Also
 * refuses if the output folder does not belong to the state folder, or if the last rebuild is incomplete or may have
 * lost files.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatCanonicalJson } from '../../domain/documents/json.ts'
import { MOST_SEARCHED } from '../../domain/search/search-file.ts'
import { isTooMuch } from '../../domain/work/large-share.ts'
import { formatCatalogueFile } from '../../domain/pages/paths.ts'
import { formatCount, formatNumber } from '../format-numbers.ts'
import { findLost } from '../rebuild/check/check-files.ts'
import { isLinked, readAtRisk } from '../rebuild/protocol.ts'
import type { RebuildState } from '../rebuild/world.ts'
import { ROOT } from '../state/project-folder.ts'
import { UsageError } from '../state/usage-error.ts'
import { IDENTITY_FILE } from '../state/output/output-identity.ts'
import type { Site } from '../../domain/pages/site.ts'
import { PublishError } from './publish-error.ts'

const SAMPLE = join(ROOT, 'src/builder/sources/sample/cataloge.ndjson')

interface BuiltState extends Omit<RebuildState, 'pictures'> {
  readonly site: Site
  /** Id of the operating system's current boot. */
  readonly boot: string
  /** Ids of the bundled sample's products, by the id of their seller. */
  readonly sample: ReadonlyMap<string, ReadonlySet<string>>
}

/** If a check fails, throws a `UsageError` or a `PublishError` that says what to do. */
export function checkState(state: BuiltState): void {
  checkAddress(state.site)
  checkMarker(state)
  checkDisk(state)
  checkSettings(state)
  checkSample(state)
  checkFailed(state)
  checkSearch(state)
}

function checkAddress({ url }: Site): void {
  const { hostname } = new URL(url)
  if (hostname !== 'localhost' && !hostname.endsWith('.localhost')) return
  throw new UsageError(
    `SITE_URL is ${url}: set it to the address that visitors use, in the environment or in .env, then run npm run rebuild and try again.`,
  )
}

function checkMarker({ output, record, snapshot }: BuiltState): void {
  const bytes = output.read(IDENTITY_FILE)
  const marker = bytes === null ? null : new TextDecoder().decode(bytes).trim()
  if (marker === null || !record.readMarkers().includes(marker))
    throw new PublishError(
      'The output folder does not belong to this state folder: run npm run rebuild, then try again.',
    )
  if (marker !== record.readDigest() || record.countUnsure() > 0 || !isLinked({ record, snapshot }))
    throw new PublishError(
      'The last rebuild was interrupted, or a part of the state was replaced: run npm run rebuild, which repairs the site, then try again.',
    )
}

function checkDisk({ output, record, boot }: BuiltState): void {
  const atRisk = readAtRisk(record, boot)
  if (atRisk === 'none') return
  const { damaged, unlisted } = findLost(output, record)
  if (atRisk === 'listed' && damaged.length + unlisted.length === 0) return
  throw new PublishError(
    'This machine was restarted since the last rebuild, or the state comes from another machine, so files of the site may be damaged: run npm run rebuild, which repairs the site, then try again.',
  )
}

/**
 * Throws if no page was rendered yet, or if the settings that the record has for one page differ from the present ones.
 */
function checkSettings({ record, site }: BuiltState): void {
  const page = record.findPage('index.html')
  const settings = page?.generation.settings
  if (settings === undefined)
    throw new PublishError('Nothing was rendered yet: run npm run rebuild, then try again.')
  const rendered = JSON.parse(settings) as Site
  if (formatCanonicalJson(rendered) === formatCanonicalJson(site)) return
  throw new PublishError(
    `The pages were rendered with other settings (SITE_URL ${rendered.url}): run npm run rebuild with the present settings, then try again.`,
  )
}

function checkSample({ snapshot, sample }: BuiltState): void {
  const known = [...sample].flatMap(([seller, ids]) =>
    (snapshot.readCatalogue(seller)?.products ?? []).filter(({ id }) => ids.has(id)),
  )
  if (known.length === 0 || known.length * 2 < snapshot.readTotals().products) return
  throw new UsageError(
    'At least half of the products are those of the bundled sample, which is never published: set CATALOGUE_SOURCE to the real documents, run npm run rebuild, then try again.',
  )
}

// For example, if the state was lost and new code fails for many sellers: the live site may still have their pages.
function checkFailed({ snapshot, record }: BuiltState): void {
  const failed = snapshot.waits.readFailed()
  const missing = failed.filter(({ seller }) => !record.hasFile(formatCatalogueFile(seller)))
  const { sellers } = snapshot.readTotals()
  if (!isTooMuch(missing.length, sellers)) return
  throw new PublishError(
    `The catalogues of ${formatNumber(missing.length)} of ${formatCount(sellers, 'seller')} failed and have no earlier version, so the site would lack them: npm run rebuild lists the failed pages with their reasons. Correct the code, run npm run rebuild, then try again.`,
  )
}

function checkSearch({ site, snapshot }: BuiltState): void {
  const { products } = snapshot.readTotals()
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
