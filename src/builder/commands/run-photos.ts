/** Runs the photos command: opens state and store, registers photos, processes the queue, and reports. */
import { needsPreviews } from '../../domain/documents/page-switches.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'
import { isLargeShare } from '../../domain/work/large-share.ts'
import { formatCount, formatNumber } from '../format-numbers.ts'
import { UsageError } from '../files/usage-error.ts'
import { acquireLock, BusyError } from '../state/locks.ts'
import { readManifest } from '../files/file-hashes.ts'
import { openPictureStore } from '../pictures/store/picture-store.ts'
import type { FinishedQueue } from '../pictures/finish-queue.ts'
import { renewOwnPhotos } from '../pictures/renew-own-photos.ts'
import { createPhotoTools } from '../pictures/stored-pictures.ts'
import type { PhotoTools } from '../pictures/photos/process-photo.ts'
import type { Configuration } from './configuration.ts'
import { readCatalogues } from '../rebuild/due-pictures.ts'
import type { SiteState } from '../state/site-state.ts'
import { openState } from '../state/site-state.ts'
import { readPublicFile } from './rebuild/page-inputs.ts'
import { PICTURES, STATE } from './rebuild/state-files.ts'
import { ROOT } from '../files/project-folder.ts'

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
 * Does nothing unless `PHOTOS=files`. Throws a `UsageError` if there is no state with sellers, and a `BusyError` if
 * another run of `photos` uses the state.
 */
export async function runPhotos(options: PhotosOptions): Promise<PhotoReport> {
  const { mode } = options.configuration.photos
  if (mode !== 'files') return { ...NO_PHOTOS, note: `PHOTOS is ${mode}, so this command makes no pictures.` }
  const file = join(options.state, STATE)
  if (!existsSync(file))
    throw new UsageError(`${options.state} holds no state yet: run npm run rebuild first.`)
  const lock = acquireLock(join(options.state, 'photos-lock.sqlite'))
  if (lock === null)
    throw new BusyError(`Another run of npm run photos uses ${options.state}: try again when it has ended.`)
  try {
    return await openAndWork(options, file)
  } finally {
    lock.release()
  }
}

async function openAndWork(options: PhotosOptions, file: string): Promise<PhotoReport> {
  const { site, photos } = options.configuration
  const state = openState(file)
  try {
    // Without sellers, every picture would count as unused.
    if (state.readTotals().sellers === 0)
      throw new UsageError(`The state in ${options.state} has no sellers: run npm run rebuild first.`)
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
      return await work(state, tools, options)
    } finally {
      store.close()
    }
  } finally {
    state.close()
  }
}

async function work(state: SiteState, tools: PhotoTools, options: PhotosOptions): Promise<PhotoReport> {
  const { listTroubles, registerPhotos, finishQueue } = await import('../pictures/finish-queue.ts')
  const manifest = readManifest(join(ROOT, 'public'), '.')
  renewOwnPhotos(manifest, tools)
  const inputs = { maxProducts: options.configuration.maxProducts, publicFiles: manifest }
  const readAll = (): Iterable<Catalogue> => readCatalogues(state, inputs, state.readSellers())
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
