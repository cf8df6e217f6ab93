/** The last two states of a rebuild: written, in which files are replaced one by one, and settled. */
import { growDelay } from '../../domain/work/backoff.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { formatMarker, MARKER } from '../../domain/wire/site-marker.ts'
import { formatPageFile } from '../../domain/documents/page-address.ts'
import type { MadeReport } from '../pictures/pictures.ts'
import { NOTHING_MADE } from '../pictures/pictures.ts'
import type { KeptRenderer } from '../renderer/renderer-store.ts'
import type { FailedSeller } from '../state/site-state.ts'
import { formatBasis } from './basis.ts'
import { makeDuePictures } from './due-pictures.ts'
import { listListKeys, readListFacts } from './list-pages.ts'
import type { PageFailure, SiteWriter, Written } from './site-writer.ts'
import { createSiteWriter, joinWritten } from './site-writer.ts'
import { HEADERS } from './static/edge-headers.ts'
import { readStaticFiles, writeHeaders, writeStaticFiles } from './static/static-files.ts'
import { findStrays } from './strays.ts'
import type { PageInputs, World } from './world.ts'
import { THREADS_FROM } from './writer-threads.ts'

/** A run after its read. */
export interface RunFacts {
  /** Identifies the run. */
  readonly id: string
  readonly inputs: PageInputs
  readonly kept: KeptRenderer
  /** True if everything is due. */
  readonly isWhole: boolean
  /** Sellers who are due. */
  readonly due: ReadonlySet<string>
}

/** Where a run may have changed the output folder, if it was not over everything. */
export interface LookedAt {
  readonly sellers: readonly string[]
  /** Pictures that were written. */
  readonly pictures: readonly string[]
  /** Files of no seller, as the sitemaps that list due sellers. */
  readonly lists: readonly string[]
}

export interface RenewedSite {
  readonly lookedAt: LookedAt
  readonly written: Pick<Written, 'pages' | 'files' | 'examples'>
  /** Number of files that were removed. */
  readonly removed: number
  /** The pages that failed in this run. */
  readonly failures: readonly PageFailure[]
  /** All sellers whose pages failed and are not mended yet; `null` if none was tried. */
  readonly failed: readonly FailedSeller[] | null
  readonly pictures: MadeReport
}

/** The pages of no seller fail under this id. */
const SITE = ''

/** When a seller whose page failed is due again, in milliseconds. */
const RETRY = { first: 60_000, longest: 6 * 60 * 60_000 }

export async function renewSite(world: World, facts: RunFacts): Promise<RenewedSite> {
  const { output, options } = world
  output.writeForced(MARKER, createMarker(world, facts, 'open'))
  const files = readStaticFiles(facts.inputs, facts.kept)
  // Only a run over everything has other code, settings or public files than the run before it.
  if (facts.isWhole) writeStaticFiles(files, facts.kept, output)
  const pictures = options.isExplained
    ? { made: NOTHING_MADE, last: 0, sellers: [] }
    : await makeDuePictures(world, facts)
  const due = new Set([...facts.due, ...pictures.sellers])
  const { written, failed, lists, isShared } = await writeSite(world, { ...facts, due })
  const hasOldPages = failed.length > 0
  const fixed = [HEADERS, ...files.map(({ path }) => path), ...world.renderers.listKeptAssets()]
  const strays = facts.isWhole
    ? findStrays(output, {
        files: new Set([...fixed, ...lists, ...written.shown]),
        sellers: world.state.readSellers(),
        hasOldPages,
      })
    : []
  const gone = new Set([...written.strays, ...strays])
  const removed = [...gone].reduce((sum, path) => sum + output.remove(path), 0)
  // No page of other code is left, so only the inline code of the present one is permitted.
  if (facts.isWhole && !hasOldPages) writeHeaders(facts.kept, output)
  // An earlier run that was cut off may have written files with the same bytes, which it did not force.
  output.settle(isShared || facts.isWhole)
  output.writeForced(MARKER, createMarker(world, facts, 'closed'))
  if (!options.isExplained) settle(world, facts, { failed, last: pictures.last })
  output.tidy()
  const sellers = [...due].filter((seller) => seller !== SITE)
  const lookedAt = { sellers, pictures: written.pictures, lists }
  return { lookedAt, written, removed, failures: written.failures, failed, pictures: pictures.made }
}

function createMarker(
  { state, clock }: World,
  { id, inputs }: RunFacts,
  marker: SiteMarker['state'],
): string {
  return formatMarker({
    run: id,
    state: marker,
    time: new Date(clock()).toISOString(),
    renderer: inputs.code,
    ...state.readTotals(),
    largest: state.readLargest(),
  })
}

interface WrittenSite {
  readonly written: Written
  readonly failed: readonly FailedSeller[]
  /** Paths of the pages of no seller that were looked at. */
  readonly lists: readonly string[]
  /** True if threads wrote files. */
  readonly isShared: boolean
}

/** Writes the pages of due sellers, then the files that list them, without sellers who failed. */
async function writeSite(world: World, facts: RunFacts): Promise<WrittenSite> {
  const { due, isWhole, inputs } = facts
  const { site } = inputs
  const sellers = [...due].filter((seller) => seller !== SITE)
  const isShared = sellers.length >= THREADS_FROM && world.startWriters !== null && !world.options.isExplained
  const writer = isShared ? world.startWriters(facts) : await openWriter(world, facts)
  try {
    const pages = await writer.writeSellers(sellers, (count) =>
      world.progress(`Writing the pages of sellers: ${count} of ${sellers.length}`),
    )
    const failing = findFailed(world, due, pages.failures)
    const omitted = new Set(failing.map(({ seller }) => seller))
    const lists = readListFacts(world.state, omitted)
    // Sellers who failed in an earlier run are in `due` if they are listed again.
    const keys = listListKeys(isWhole || due.has(SITE) ? null : due, lists, { site, output: world.output })
    const listed = await writer.writeLists(keys, lists)
    // A list that should not exist goes before the pages that it names.
    const written = { ...joinWritten([pages, listed]), strays: [...listed.strays, ...pages.strays] }
    const failed = findFailed(world, due, written.failures)
    return { written, failed, lists: keys.map(formatPageFile), isShared }
  } finally {
    await writer.close()
  }
}

async function openWriter(world: World, { inputs, kept, isWhole }: RunFacts): Promise<SiteWriter> {
  const { state: reads, output, pictures, renderers } = world
  const publicFiles = new Set(Object.keys(inputs.publicFiles))
  const renderer = await renderers.load(kept)
  return createSiteWriter({ ...inputs, reads, output, pictures, renderer, publicFiles, isWhole })
}

/** Returns all who have failed now: due sellers who failed in this run, and those who were not due. */
function findFailed(
  { state, clock }: World,
  due: ReadonlySet<string>,
  failures: readonly PageFailure[],
): readonly FailedSeller[] {
  const earlier = state.readFailed()
  const reasons = new Map(failures.map(({ seller, path, reason }) => [seller, `${path}: ${reason}`]))
  const failing = [...reasons].map(([seller, reason]): FailedSeller => {
    const tries = (earlier.find((one) => one.seller === seller)?.tries ?? 0) + 1
    return { seller, reason, tries, next: clock() + growDelay(RETRY, tries, Math.random()) }
  })
  return [...earlier.filter(({ seller }) => !due.has(seller) && !reasons.has(seller)), ...failing]
}

interface Settled {
  readonly failed: readonly FailedSeller[]
  /** The last change of pictures that the site shows. */
  readonly last: number
}

function settle({ state, pictures }: World, { id, inputs }: RunFacts, settled: Settled): void {
  state.begin()
  state.write('closed', { run: id, basis: formatBasis(inputs.basis) })
  state.writeFailed(settled.failed)
  state.commit()
  // After a run that was killed before this, everything is due.
  pictures.settle(id, settled.last)
}
