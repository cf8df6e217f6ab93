/**
 * Processes every due photo, without a time limit: new photos, failed photos, photos with outdated pictures, and photos
 * to revalidate.
 */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { sortPhotos } from '../../domain/photos/sort-photos.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'
import type { KnownPhoto } from './store/photo-queue.ts'
import type { PhotoResult, PhotoTools } from './photos/process-photo.ts'
import { processHomeSocial, processSocials } from './social/process-socials.ts'
import { processPhotos } from './process-photos.ts'

interface FinishQueueOptions {
  readonly tools: PhotoTools
  /** All catalogues. Their pictures for shared links are drawn after all photos are processed. */
  readonly catalogues: Iterable<Catalogue>
  /** Whether photos that are not due are processed too. */
  readonly isAll: boolean
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number) => void
}

export interface FinishedQueue {
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  /** Number of sellers' pictures for shared links that were drawn. */
  readonly drawn: number
}

/**
 * Stores which sellers show which photos. If `accepts` permits it, deletes pictures that no seller shows. Returns the
 * number of pictures that `accepts` refused to delete, or 0. No rebuild may run at the same time.
 */
export function registerPhotos(
  catalogues: Iterable<Catalogue>,
  { store, hosts }: PhotoTools,
  accepts: (gone: number, before: number) => boolean,
): number {
  let gone = new Set<string>()
  store.gather(() => {
    store.beginShown()
    gone = new Set([...store.readUsers(), ...store.readDrawn()])
    for (const catalogue of catalogues) {
      gone.delete(catalogue.seller)
      const { addresses, refused } = sortPhotos(catalogue, hosts)
      store.addShown(catalogue.seller, addresses)
      store.addUnlisted(refused.map(({ address }) => address))
    }
    for (const seller of gone) store.addShown(seller, [])
  })
  return store.transact(() => {
    store.keepShown()
    return store.sweep(accepts, [...gone])
  })
}

export async function finishQueue({
  tools,
  catalogues,
  isAll,
  signal,
  progress,
}: FinishQueueOptions): Promise<FinishedQueue> {
  const { store, now, makesPreviews } = tools
  const due = store.readDue(isAll ? Number.MAX_SAFE_INTEGER : now(), makesPreviews)
  const counts = { changed: 0, unchanged: 0, failed: 0 }
  let done = 0
  const onResult = (_: KnownPhoto, { kind }: PhotoResult): void => {
    counts[kind] += 1
    progress((done += 1), due.length)
  }
  await processPhotos(due, { tools, signal, onResult })
  await processHomeSocial(tools)
  const drawn = await processSocials(catalogues, tools, signal)
  return { ...counts, drawn }
}

/**
 * Yields the products whose photo may not be fetched, or whose most recent fetch or decoding failed, each with the
 * reason.
 */
export function* listTroubles(
  catalogues: Iterable<Catalogue>,
  { store, hosts }: PhotoTools,
): Generator<UnmadePicture> {
  for (const catalogue of catalogues) {
    const { addresses, refused } = sortPhotos(catalogue, hosts)
    yield* refused
    const failures = store.findFailures(addresses)
    for (const { id, photo } of catalogue.products) {
      const reason = photo === null ? undefined : failures.get(photo)
      if (photo !== null && reason !== undefined) yield { product: id, address: photo, reason }
    }
  }
}
