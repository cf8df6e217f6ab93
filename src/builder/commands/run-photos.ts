/** Runs the photos command: opens snapshot and store, registers photos, processes the queue, and reports. */
import { needsPreviews } from '../../domain/documents/page-switches.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'
import { isLargeShare } from '../../domain/work/large-share.ts'
import { formatCount, formatNumber } from '../format-numbers.ts'
import { UsageError } from '../state/usage-error.ts'
import { BusyError } from '../state/lock-folders.ts'
import { readManifest } from '../state/manifest.ts'
import { openPictureStore, setAsideDamagedPictures } from '../pictures/store/picture-store.ts'
import type { FinishedQueue } from '../pictures/finish-queue.ts'
import { renewOwnPhotos } from '../pictures/renew-own-photos.ts'
import { createPhotoTools } from '../pictures/stored-pictures.ts'
import type { PhotoTools } from '../pictures/photos/process-photo.ts'
import type { Configuration } from './configuration.ts'
import { readCatalogues } from '../rebuild/plan/seller-pages.ts'
import { openSnapshot } from '../state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../state/snapshot/snapshot.ts'
import { acquireLock } from '../state/sqlite/lock.ts'
import { isDamage } from '../result-codes.ts'
import { readPublicFile } from './rebuild/open-world.ts'
import { PICTURES, SNAPSHOT } from './rebuild/state-files.ts'
import { ROOT } from '../state/project-folder.ts'

export interface PhotosOptions {
  readonly state: string
  /** True to include photos that are not due yet. */
  readonly isAll: boolean
  /** True to delete pictures that no seller shows, however many there are. */
  readonly isShrinkAllowed: boolean
  readonly configuration: Configuration
  readonly signal: AbortSignal
  readonly progress: (text: string) => void
  readonly warn: (message: string) => void
}

export interface PhotoReport extends FinishedQueue {
  /** Number of pictures that no seller shows, and that the guard refused to delete. */
  readonly kept: number
  readonly troubles: readonly UnmadePicture[]
  /** A further sentence to print; empty if there is none. */
  readonly note: string
}

export const NO_PHOTOS: PhotoReport = {
  changed: 0,
  unchanged: 0,
  failed: 0,
  drawn: 0,
  kept: 0,
  troubles: [],
  note: '',
}

/**
 * Does nothing unless `PHOTOS=files`. Throws a `UsageError` if there is no snapshot with sellers, and a `BusyError` if
 * another run of `photos` uses the state.
 */
export async function runPhotos(options: PhotosOptions): Promise<PhotoReport> {
  const { mode } = options.configuration.photos
  if (mode !== 'files') return { ...NO_PHOTOS, note: `PHOTOS is ${mode}, so this command makes no pictures.` }
  const file = join(options.state, SNAPSHOT)
  if (!existsSync(file))
    throw new UsageError(`${options.state} holds no snapshot yet: run npm run rebuild first.`)
  const lock = acquireLock(join(options.state, 'photos-lock.sqlite'))
  if (lock === null)
    throw new BusyError(`Another run of npm run photos uses ${options.state}: try again when it has ended.`)
  try {
    return await runOrRescue(options, file)
  } finally {
    lock.release()
  }
}

async function runOrRescue(options: PhotosOptions, snapshot: string): Promise<PhotoReport> {
  try {
    return await openAndWork(options, snapshot)
  } catch (error) {
    if (!isDamage(error)) throw error
    if (setAsideDamagedPictures(join(options.state, PICTURES), options.warn))
      return openAndWork(options, snapshot)
    throw new Error('The snapshot is damaged: run npm run rebuild, which creates it again.', { cause: error })
  }
}

async function openAndWork(options: PhotosOptions, file: string): Promise<PhotoReport> {
  const { site, photos } = options.configuration
  const snapshot = openSnapshot(file)
  try {
    // Without sellers, every picture would count as unused. The snapshot has no sellers if its schema has another
    // version, because opening such a file empties it.
    if (snapshot.readTotals().sellers === 0)
      throw new UsageError(`The snapshot in ${options.state} has no sellers: run npm run rebuild first.`)
    const store = openPictureStore(join(options.state, PICTURES), options.warn)
    const { hosts } = photos
    const tools = createPhotoTools({
      store,
      hosts,
      readPublicFile,
      brand: site.name,
      makesPreviews: needsPreviews(site),
      now: Date.now,
    })
    try {
      return await work(snapshot, tools, options)
    } finally {
      store.close()
    }
  } finally {
    snapshot.close()
  }
}

async function work(snapshot: Snapshot, tools: PhotoTools, options: PhotosOptions): Promise<PhotoReport> {
  const { listTroubles, registerPhotos, finishQueue } = await import('../pictures/finish-queue.ts')
  const manifest = readManifest(join(ROOT, 'public'), '.')
  const publicFiles = new Set(Object.keys(manifest))
  renewOwnPhotos(manifest, tools)
  const readAll = (): Iterable<Catalogue> => readCatalogues({ snapshot, publicFiles }, snapshot.readSellers())
  // Registers photos only if no rebuild is running, because a rebuild registers the photos of newer catalogues itself.
  const lock = acquireLock(join(options.state, 'lock.sqlite'))
  const accepts = (gone: number, before: number): boolean =>
    options.isShrinkAllowed || !isLargeShare(gone, before)
  let kept = 0
  try {
    if (lock !== null) kept = registerPhotos(readAll(), tools, accepts)
  } finally {
    lock?.release()
  }
  const counts = await finishQueue({
    tools,
    catalogues: readAll(),
    isAll: options.isAll,
    signal: options.signal,
    progress: (done, total) => options.progress(`${formatNumber(done)} of ${formatCount(total, 'photo')}`),
  })
  if (kept > 0) options.warn(formatKept(kept))
  const note =
    counts.changed + counts.drawn > 0
      ? 'npm run rebuild renders the pages that show the new or changed pictures.'
      : ''
  return { ...counts, kept, troubles: [...listTroubles(readAll(), tools)], note }
}

function formatKept(kept: number): string {
  return `Nothing was deleted, because ${formatCount(kept, 'picture')} that no seller shows any more would be a large part of the picture store. To delete them, run npm run photos -- --allow-shrink.`
}
