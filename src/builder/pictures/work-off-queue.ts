/**
 * Processes photos that are due or have an outdated picture, and draws missing or outdated pictures for shared links,
 * for a bounded time.
 */
import { setImmediate } from 'node:timers/promises'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { registerPhotos } from './finish-queue.ts'
import type { PhotoTools } from './photos/process-photo.ts'
import type { ReadCatalogues, WorkLimits, WorkedOff } from './pictures.ts'
import { processPhotos } from './process-photos.ts'
import { isSocialCurrent } from './social/social-inputs.ts'
import { processHomeSocial, processSocials } from './social/process-socials.ts'

/**
 * Max share of the time that is spent on photos. The rest is for drawing pictures for shared links, which contain these
 * photos.
 */
const PHOTO_SHARE = 2 / 3

/**
 * Max photos that one run reads from the queue, because a large site has millions, which may not fit into memory. A run
 * has no time to process this many.
 */
const MOST_PHOTOS = 150_000

/** Number of catalogues that are checked before timers and requests get their turn. */
const STEP = 100

/** The caller must ensure that no rebuild runs meanwhile. */
export async function workOffQueue(
  readCatalogues: ReadCatalogues,
  tools: PhotoTools,
  { time, accepts }: WorkLimits,
): Promise<WorkedOff> {
  const { store, now } = tools
  if (accepts !== null) registerPhotos(readCatalogues(), tools, accepts)
  let processed = 0
  const onResult = (): void => void (processed += 1)
  const photoTime = Math.round(time * PHOTO_SHARE)
  const signal = AbortSignal.timeout(photoTime)
  await processPhotos(store.readDue(now(), tools.makesPreviews, MOST_PHOTOS), { tools, signal, onResult })
  await processHomeSocial(tools)
  // The time for drawing begins after this check, which takes seconds on a large site.
  const outdated = await findOutdated(readCatalogues(), tools)
  const drawing = AbortSignal.timeout(time - photoTime)
  const drawn = await processSocials(readCatalogues(outdated), tools, drawing)
  const undrawn = outdated.length - drawn
  const { due, waiting } = store.countDue(now(), tools.makesPreviews)
  return {
    processed: processed + drawn,
    waiting: waiting + undrawn,
    isDone: due + undrawn === 0,
  }
}

/** Returns the sellers whose picture for shared links is missing or outdated. */
async function findOutdated(catalogues: Iterable<Catalogue>, tools: PhotoTools): Promise<readonly string[]> {
  const sellers: string[] = []
  let checked = 0
  for (const catalogue of catalogues) {
    if (!isSocialCurrent(catalogue, tools)) sellers.push(catalogue.seller)
    checked += 1
    if (checked % STEP === 0) await setImmediate()
  }
  return sellers
}
