/** The first half of a rebuild, which a dry run ends with: reads the source and makes the plan. */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { formatCanonicalJson } from '../../domain/documents/json.ts'
import { formatCount } from '../format-numbers.ts'
import type { Change, Totals } from '../state/snapshot/snapshot.ts'
import { isLinked } from './protocol.ts'
import type { CheckResult } from './check-files.ts'
import { findDifferences } from './check-files.ts'
import { UsageError } from '../state/usage-error.ts'
import type { Manifest } from '../state/manifest.ts'
import { hashBytes } from '../state/manifest.ts'
import type { Generation } from '../state/record/record.ts'
import { checkShrink } from './shrink-guard.ts'
import type { Laps } from './timings.ts'
import type { Trust } from '../state/output/output-identity.ts'
import { readTrust } from '../state/output/output-identity.ts'
import type { Output } from '../state/output/output.ts'
import type { Preparation as PicturePreparation } from '../pictures/pictures.ts'
import type { News } from '../pictures/store/picture-changes.ts'
import { readCatalogue } from './page-sources.ts'
import type { SitePlan } from './plan-site.ts'
import { planSite } from './plan-site.ts'
import { markLostPictures } from './retained-pictures.ts'
import type { ReadResult } from './read-source.ts'
import { readSource } from './read-source.ts'
import type { World } from './world.ts'

export interface Preparation {
  readonly read: ReadResult
  readonly trust: Trust
  readonly plan: SitePlan
  readonly generation: Generation
  /** The generation's number in the record. */
  readonly number: number
  /** Every page and file is looked at. */
  readonly isWhole: boolean
  /** What was found when every file was looked at, `null` when that was not needed. */
  readonly check: CheckResult | null
  /** The news of pictures that the plan knows. */
  readonly news: News
  readonly pictures: PicturePreparation
}

export async function prepareRebuild(world: World, laps: Laps, isDry = false): Promise<Preparation> {
  const { record, output } = world
  const trust = readTrust(output, record)
  if (trust === 'foreign') {
    throw new UsageError(
      'The output folder holds files that are not of this site. Name another with --out, or empty it.',
    )
  }
  // Before the read, which settles what has changed.
  const isWhole = trust !== 'trusted' || world.options.isVerify || !isLinked(world) || !isStoreKnown(world)
  const read = await readDocuments(world)
  laps.end('read')
  const check = isWhole ? checkFiles(world) : null
  if (isWhole) laps.end('check')
  const generation: Generation = {
    code: world.code,
    // The public files too: photos of the site's own are shown only where there is one, drawings in shared pictures.
    settings: formatCanonicalJson({
      ...world.settings,
      publicFiles: hashPublicFiles(world.publicFiles),
      pictures: world.pictures.settings,
    }),
    runtime: world.runtime,
  }
  const number = record.openGeneration(generation)
  const makePlan = (news: News): SitePlan =>
    planSite({ ...world, news, generation, number, isWhole, isFull: world.options.isFull })
  const news = world.pictures.readNews()
  const plan = makePlan(news)
  laps.end('plan')
  const prepared = { read, trust, generation, number, isWhole, check }
  const isTouched = plan.render.length > 0 || plan.remove.length > 0
  if (isDry || !isTouched) return { ...prepared, plan, news, pictures: NO_PICTURES }
  const pictures = await preparePictures(world, plan)
  laps.end('photos')
  if (!pictures.hasNews) return { ...prepared, plan, news, pictures }
  const newer = world.pictures.readNews()
  return { ...prepared, plan: makePlan(newer), news: newer, pictures }
}

// In sellers: a rebuild draws all their pictures for shared links, each in less than half a second.
const SMALL_SITE = 32

const NO_PICTURES: PicturePreparation = { hasNews: false, waiting: 0, undrawn: 0, troubles: [] }

// What comes out of it may concern other sellers who show the same photos.
function preparePictures(world: World, { render, remove }: SitePlan): Promise<PicturePreparation> {
  const drawsAll = world.snapshot.readTotals().sellers <= SMALL_SITE
  // Where sellers went, those who stay may have been too many until now.
  const isSmaller = drawsAll && remove.length > 0
  const data = { snapshot: world.snapshot, publicFiles: new Set(Object.keys(world.publicFiles)) }
  const sellers = isSmaller
    ? [...world.snapshot.readSellers()]
    : render.flatMap(({ page }) => page.seller ?? [])
  function* readCatalogues(): Generator<Catalogue> {
    for (const seller of sellers) {
      const catalogue = readCatalogue(data, seller)
      if (catalogue !== null) yield catalogue
    }
  }
  world.progress('Making pictures')
  return world.pictures.prepare(readCatalogues(), drawsAll)
}

// A store that was lost or put back knows other pictures than pages were made of.
function isStoreKnown({ record, pictures }: World): boolean {
  const known = record.readPictures()
  const { identity, sequence } = pictures.readNews().version
  return known !== null && known.identity === identity && known.sequence <= sequence
}

// Of a photo that comes in small sizes the store tells when it changed, of a drawing nobody else does.
function hashPublicFiles(files: Manifest): string {
  const lines = Object.entries(files).map(([path, hash]) =>
    path.endsWith('.svg') ? `${path} ${hash}` : path,
  )
  return hashBytes(lines.sort().join('\n'))
}

async function readDocuments(world: World): Promise<ReadResult> {
  const { options, progress } = world
  progress('Reading the source')
  const source = await world.openSource()
  try {
    return await readSource(source, world.snapshot, {
      sellers: options.sellers,
      isFull: options.isFull,
      door: world.door,
      accept: (change) => checkShrink(withRecorded(change, world), options.isShrinkAllowed),
      progress: (count) => progress(`Reading the source: ${formatCount(count, 'document')}`),
    })
  } finally {
    source.close()
  }
}

// A snapshot that was lost knows nothing of what the site held: the record does, or at least the pages in place.
function withRecorded(change: Change, { record, output }: World): Change {
  if (change.before.sellers > 0) return change
  const held = record.readTotals() ?? countPages(output)
  const lose = (name: keyof Totals): number => Math.max(0, held[name] - change.after[name])
  return {
    ...change,
    before: held,
    gone: { sellers: lose('sellers'), profiles: lose('profiles'), products: lose('products') },
  }
}

function countPages(output: Output): Totals {
  const pages = output.list().filter((path) => /^catalogo\/(?!404\.html$)[^/]+\.html$/.test(path))
  return { sellers: pages.length, profiles: 0, products: 0 }
}

function checkFiles({ output, record, pictures, progress }: World): CheckResult {
  progress('Checking every file')
  const check = findDifferences(output, record)
  record.markUnsurePaths(check.damaged)
  markLostPictures(record, pictures)
  return check
}
