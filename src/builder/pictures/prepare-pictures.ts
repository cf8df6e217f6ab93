/** Makes missing and outdated pictures during a rebuild. The time for photos is bounded. */
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { Product } from '../../domain/documents/product.ts'
import type { PicturePreparation } from './pictures.ts'
import { isHomeCurrent, isSocialCurrent } from './social/social-inputs.ts'
import { sortPhotos } from '../../domain/photos/sort-photos.ts'
import type { KnownPhoto } from './store/photo-queue.ts'
import type { ProductPhoto } from './store/published-photos.ts'
import type { PhotoTools } from './photos/process-photo.ts'

interface PrepareOptions {
  /** Max time for photos and, without `drawsAll`, for sellers' pictures for shared links, in milliseconds. */
  readonly patience: number
  /** Whether every missing or outdated picture for shared links is drawn, without a time limit. */
  readonly drawsAll: boolean
}

/**
 * Max outdated pictures for shared links that one run gathers, to limit memory. A run has time for fewer. Ignored with
 * `drawsAll`.
 */
const MOST_SOCIALS = 64

/** Max photos that one run reads from the queue, to limit memory. A run has time for fewer. */
const MOST_PHOTOS = 4_096

export async function preparePictures(
  catalogues: Iterable<Catalogue>,
  tools: PhotoTools,
  { patience, drawsAll }: PrepareOptions,
): Promise<PicturePreparation> {
  const { store, makesPreviews } = tools
  const { refused, outdated, left, hasKnown } = store.gather(() => gatherPhotos(catalogues, tools, drawsAll))
  store.transact(() => store.keepShown())
  const before = store.readVersion().sequence
  const signal = AbortSignal.timeout(patience)
  const drawing = drawsAll ? new AbortController().signal : signal
  await Promise.all([
    processWaiting(readWaiting(tools), tools, { patience, signal }),
    // All photos of these catalogues have pictures, so drawing does not need to wait for `processWaiting`.
    drawSocials(findCatalogues(outdated.filter(({ isComplete }) => isComplete)), tools, drawing),
    isHomeCurrent(tools) ? null : drawHome(tools),
  ])
  await drawSocials(findCatalogues(outdated), tools, drawing)
  const hasChanges = store.readVersion().sequence !== before
  const late = drawing.aborted ? outdated.filter((one) => !isSocialCurrent(one.catalogue, tools)).length : 0
  return {
    hasChanges,
    waiting: store.countLeft(),
    undrawn: left + late + (hasKnown ? store.countOutdated(makesPreviews) : 0),
    troubles: [...refused, ...store.listTroubles()],
  }
}

interface Gathered {
  readonly refused: readonly UnmadePicture[]
  readonly outdated: readonly Outdated[]
  /** Number of sellers whose picture for shared links is missing or outdated, and is not drawn by this rebuild. */
  readonly left: number
  /** Whether any photo has a picture, which may be outdated. */
  readonly hasKnown: boolean
}

/**
 * A seller whose picture for shared links is missing or outdated, or becomes outdated when missing pictures of the
 * seller's photos are made.
 */
interface Outdated {
  readonly catalogue: Catalogue
  /** Whether all photos of the catalogue have pictures. */
  readonly isComplete: boolean
}

function gatherPhotos(catalogues: Iterable<Catalogue>, tools: PhotoTools, drawsAll: boolean): Gathered {
  const { store, hosts, now } = tools
  const refused: UnmadePicture[] = []
  const outdated: Outdated[] = []
  let left = 0
  let hasKnown = false
  store.beginShown()
  for (const catalogue of catalogues) {
    const { seller, products } = catalogue
    const sorted = sortPhotos(catalogue, hosts)
    refused.push(...sorted.refused)
    store.addShown(seller, sorted.addresses)
    const lacking = store.addLacking(listWanted(products, new Set(sorted.addresses)), now())
    hasKnown ||= lacking.size < sorted.addresses.length
    // Draws the first picture of a seller only if there is no time limit. Otherwise the number of pictures drawn would
    // depend on the machine's speed, and a clean build must give the same bytes everywhere.
    if (!drawsAll && store.findSocial(seller) === null) {
      left += 1
      continue
    }
    const isComplete = lacking.size === 0
    const isFull = !drawsAll && outdated.length === MOST_SOCIALS
    if ((isFull || isComplete) && isSocialCurrent(catalogue, tools)) continue
    if (isFull) left += 1
    else outdated.push({ catalogue, isComplete })
  }
  return { refused, outdated, left, hasKnown }
}

function listWanted(products: readonly Product[], addresses: ReadonlySet<string>): readonly ProductPhoto[] {
  return products.flatMap(({ id, photo }) =>
    photo !== null && addresses.has(photo) ? [{ product: id, address: photo }] : [],
  )
}

function findCatalogues(outdated: readonly Outdated[]): readonly Catalogue[] {
  return outdated.map(({ catalogue }) => catalogue)
}

// Returns photos without a picture first, then photos whose picture is outdated.
function readWaiting({ store, now, makesPreviews }: PhotoTools): readonly KnownPhoto[] {
  const waiting = store.readWaiting(now(), MOST_PHOTOS)
  const left = MOST_PHOTOS - waiting.length
  return left > 0 ? [...waiting, ...store.readOutdated(now(), makesPreviews, left)] : waiting
}

async function processWaiting(
  photos: readonly KnownPhoto[],
  tools: PhotoTools,
  { patience, signal }: { patience: number; signal: AbortSignal },
): Promise<void> {
  if (photos.length === 0) return
  const { processPhotos } = await import('./process-photos.ts')
  const started = new Map<string, number>()
  const begin = performance.now()
  const onStart = ({ address }: KnownPhoto): unknown => started.set(address, performance.now() - begin)
  const cut = await processPhotos(photos, { tools, signal, onStart })
  // An interrupted photo counts as slow only if it was in progress for more than half of `patience`.
  const slow = cut.filter(({ address }) => (started.get(address) ?? patience) < patience / 2)
  for (const { address } of slow) tools.store.markSlow(address)
}

async function drawHome(tools: PhotoTools): Promise<void> {
  const { processHomeSocial } = await import('./social/process-socials.ts')
  await processHomeSocial(tools)
}

async function drawSocials(
  catalogues: readonly Catalogue[],
  tools: PhotoTools,
  signal: AbortSignal,
): Promise<void> {
  if (catalogues.length === 0 || signal.aborted) return
  const { processSocials } = await import('./social/process-socials.ts')
  await processSocials(catalogues, tools, signal)
}
