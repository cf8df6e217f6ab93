/**
 * Makes pictures of photos and for shared links until a deadline, for a rebuild, a deploy or `photos`. What is not made
 * in time stays as it is, and is made by a later run.
 */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { HOME } from '../../domain/pages/find-pictures.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'
import { sortPhotos } from '../../domain/photos/sort-photos.ts'
import { inLanes } from '../../domain/work/batches.ts'
import type { MadeReport, MakeOptions } from './pictures.ts'
import { RECIPE } from './recipe.ts'
import type { SocialInputs } from './social-inputs.ts'
import {
  hashSocialInputs,
  isHomeCurrent,
  isSocialCurrent,
  readHomeInputs,
  readSocialInputs,
  SOCIAL_SIZE,
} from './social-inputs.ts'
import type { PhotoTools } from './update-photo.ts'
import { untilAborted } from './until-aborted.ts'
import type { QueueFacts } from './work-queue.ts'

/** Part of the time that is spent on photos. The rest is for drawing pictures for shared links, which contain them. */
const PHOTO_SHARE = 2 / 3

const DRAWN_AT_ONCE = 4

export async function makePictures(options: MakeOptions, tools: PhotoTools): Promise<MadeReport> {
  const { scope, time, drawsAll, signal, readCatalogues } = options
  if (scope === 'shown') registerPhotos(readCatalogues(), tools)
  const shown = findUnmade(readCatalogues(), tools, scope === 'shown' && !drawsAll)
  const counts = await updatePhotos(options, tools, shown.lacking)
  // One picture, which is drawn even if the time is over.
  const unlimited = { tools, signal: new AbortController().signal }
  if (!isHomeCurrent(tools)) await draw(HOME, readHomeInputs(tools), unlimited)
  const drawing = drawsAll ? signal : limitTime(time * (1 - PHOTO_SHARE), signal)
  const { drawn, undrawn } = await drawSocials(readCatalogues(shown.outdated), tools, drawing)
  return { ...counts, drawn, undrawn: undrawn + shown.left, ...judge(shown, tools) }
}

function limitTime(time: number, signal: AbortSignal): AbortSignal {
  return Number.isFinite(time) ? AbortSignal.any([AbortSignal.timeout(Math.round(time)), signal]) : signal
}

/** Stores which photos the sellers show. Returns the sellers. */
export function registerPhotos(
  catalogues: Iterable<Catalogue>,
  { store, hosts }: PhotoTools,
): readonly string[] {
  return store.transact(() =>
    Array.from(catalogues, (catalogue) => {
      const { addresses, refused } = sortPhotos(catalogue, hosts)
      // The picture of a photo whose host is not permitted now is kept.
      const shown = [...addresses, ...refused.map(({ address }) => address)]
      store.showPhotos(catalogue.seller, shown, addresses)
      return catalogue.seller
    }),
  )
}

interface Unmade {
  /** Due photos that have no picture of the present recipe, each once, even if many sellers show it. */
  readonly lacking: QueueFacts['lacking'][number][]
  /** Products whose photo has no such picture. */
  readonly products: Omit<UnmadePicture, 'reason'>[]
  readonly refused: UnmadePicture[]
  /** Sellers whose picture for shared links is outdated, or will be with their photos. */
  readonly outdated: string[]
  /** Number of sellers whose first picture for shared links is left to a run that has more time. */
  left: number
}

function findUnmade(catalogues: Iterable<Catalogue>, tools: PhotoTools, leavesFirst: boolean): Unmade {
  const unmade: Unmade = { lacking: [], products: [], refused: [], outdated: [], left: 0 }
  const { store, hosts, now } = tools
  const queued = new Set<string>()
  for (const catalogue of catalogues) {
    const { seller, products } = catalogue
    const { addresses, refused } = sortPhotos(catalogue, hosts)
    const found = store.findLacking(addresses, RECIPE)
    const names = new Set(found.map(({ address }) => address))
    for (const { id: product, photo: address } of products)
      if (address !== null && names.has(address)) unmade.products.push({ product, address })
    const due = found.filter((photo) => photo.due <= now() && !queued.has(photo.address))
    for (const { address } of due) queued.add(address)
    unmade.lacking.push(...due.map((photo, turn) => ({ photo, turn })))
    unmade.refused.push(...refused)
    if (leavesFirst && store.findSocial(seller) === null) unmade.left += 1
    else if (found.length > 0 || !isSocialCurrent(catalogue, tools)) unmade.outdated.push(seller)
  }
  return unmade
}

async function updatePhotos(
  { scope, time, signal, progress }: MakeOptions,
  tools: PhotoTools,
  lacking: QueueFacts['lacking'],
): Promise<Pick<MadeReport, 'changed' | 'unchanged' | 'failed'>> {
  if (scope === 'shown' && lacking.length === 0) return { changed: 0, unchanged: 0, failed: 0 }
  // Imported on use, because most runs have no photo to fetch.
  const { workOffQueue } = await import('./work-queue.ts')
  const photoTime = time * PHOTO_SHARE
  const deadline = { time: photoTime, signal: limitTime(photoTime, signal) }
  return workOffQueue({ scope, lacking, progress }, tools, deadline)
}

/** Finds which photos have no picture after the run, and why. */
function judge(
  { products, refused }: Pick<Unmade, 'products' | 'refused'>,
  { store }: PhotoTools,
): Pick<MadeReport, 'waiting' | 'troubles'> {
  const addresses = [...new Set(products.map(({ address }) => address))]
  const failures = store.findFailures(addresses)
  const left = store.findLacking(addresses, RECIPE).filter(({ address }) => !failures.has(address))
  const troubles = products.flatMap(({ product, address }) => {
    const reason = failures.get(address)
    return reason === undefined ? [] : [{ product, address, reason }]
  })
  return { waiting: left.length, troubles: [...refused, ...troubles] }
}

/** Returns the numbers of drawn pictures, and of those for which there was no time. */
async function drawSocials(
  catalogues: Iterable<Catalogue>,
  tools: PhotoTools,
  signal: AbortSignal,
): Promise<Pick<MadeReport, 'drawn' | 'undrawn'>> {
  const counts = { drawn: 0, undrawn: 0 }
  await inLanes(catalogues, DRAWN_AT_ONCE, async (catalogue) => {
    if (isSocialCurrent(catalogue, tools)) return
    try {
      signal.throwIfAborted()
      await untilAborted(
        draw(catalogue.seller, readSocialInputs(catalogue, tools), { tools, signal }),
        signal,
      )
      counts.drawn += 1
    } catch (error) {
      if (!signal.aborted) throw error
      counts.undrawn += 1
    }
  })
  return counts
}

async function draw(
  seller: string,
  inputs: SocialInputs,
  { tools, signal }: { readonly tools: PhotoTools; readonly signal: AbortSignal },
): Promise<void> {
  const { drawSocial } = await import('./draw-social.ts')
  const file = await tools.limitPixels(SOCIAL_SIZE.width * SOCIAL_SIZE.height, () => {
    signal.throwIfAborted()
    return drawSocial(inputs, tools)
  })
  signal.throwIfAborted()
  tools.store.transact(() => tools.store.keepSocial(seller, hashSocialInputs(inputs, tools), file))
}
