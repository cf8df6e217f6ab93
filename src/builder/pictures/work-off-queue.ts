/**
 * Processes photos that are due or have an outdated picture, and draws missing or outdated pictures for shared links,
 * for a bounded time.
 */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { registerPhotos } from './finish-queue.ts'
import type { PhotoTools } from './photos/process-photo.ts'
import type { WorkLimits, WorkedOff } from './pictures.ts'
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

/** The caller must ensure that no rebuild runs meanwhile. */
export async function workOffQueue(
  readCatalogues: () => Iterable<Catalogue>,
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
  processed += await processSocials(readCatalogues(), tools, AbortSignal.timeout(time - photoTime))
  const { due, waiting } = store.countDue(now(), tools.makesPreviews)
  const undrawn = countUndrawn(readCatalogues(), tools)
  return {
    processed,
    waiting: waiting + undrawn,
    isDone: due + undrawn === 0,
  }
}

function countUndrawn(catalogues: Iterable<Catalogue>, tools: PhotoTools): number {
  let count = 0
  for (const catalogue of catalogues) if (!isSocialCurrent(catalogue, tools)) count += 1
  return count
}
