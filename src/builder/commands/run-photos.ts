/** Runs the photos command: opens snapshot and store, registers photos, processes the queue, and reports. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'
import { formatCount, formatNumber } from '../format-numbers.ts'
import { UsageError } from '../state/usage-error.ts'
import { BusyError } from '../state/lock-folders.ts'
import { readManifest } from '../state/manifest.ts'
import { openPictureStore } from '../pictures/store/picture-store.ts'
import { createPhotoTools } from '../pictures/stored-pictures.ts'
import type { PhotoTools } from '../pictures/photos/process-photo.ts'
import type { Configuration } from './configuration.ts'
import { readCatalogue } from '../rebuild/page-sources.ts'
import { openSnapshot } from '../state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../state/snapshot/snapshot.ts'
import { acquireLock } from '../state/sqlite/lock.ts'
import { PICTURES, readPublicFile, SNAPSHOT } from './rebuild/open-world.ts'
import { ROOT } from '../state/project-folder.ts'

export interface PhotosOptions {
  readonly state: string
  readonly isAll: boolean
  readonly configuration: Configuration
  readonly signal: AbortSignal
  readonly progress: (text: string) => void
  /** Shows people a message. */
  readonly warn: (message: string) => void
}

export interface PhotoReport {
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  /** Pictures for shared links. */
  readonly drawn: number
  readonly troubles: readonly UnmadePicture[]
  /** A further sentence for people, or empty. */
  readonly note: string
}

export const EMPTY_REPORT: PhotoReport = {
  changed: 0,
  unchanged: 0,
  failed: 0,
  drawn: 0,
  troubles: [],
  note: '',
}

/** Throws a `UsageError` or a `BusyError`. */
export async function runPhotos(options: PhotosOptions): Promise<PhotoReport> {
  const { site, photos } = options.configuration
  const { mode, hosts } = photos
  if (mode !== 'files') return { ...EMPTY_REPORT, note: `PHOTOS is ${mode}: no pictures are made.` }
  const file = join(options.state, SNAPSHOT)
  if (!existsSync(file))
    throw new UsageError(`${options.state} holds no snapshot yet: run npm run rebuild first.`)
  const lock = acquireLock(join(options.state, 'photos-lock.sqlite'))
  if (lock === null) throw new BusyError(`Another run of this command is at work on ${options.state}.`)
  const snapshot = openSnapshot(file)
  const store = openPictureStore(join(options.state, PICTURES), options.warn)
  try {
    return await work(
      snapshot,
      createPhotoTools({ store, hosts, readPublicFile, brand: site.name, now: Date.now }),
      options,
    )
  } finally {
    store.close()
    snapshot.close()
    lock.release()
  }
}

async function work(snapshot: Snapshot, tools: PhotoTools, options: PhotosOptions): Promise<PhotoReport> {
  const { listTroubles, registerPhotos, finishQueue } = await import('../pictures/finish-queue.ts')
  const publicFiles = new Set(Object.keys(readManifest(join(ROOT, 'public'), '.')))
  function* readCatalogues(): Generator<Catalogue> {
    for (const seller of snapshot.readSellers()) {
      const catalogue = readCatalogue({ snapshot, publicFiles }, seller)
      if (catalogue !== null) yield catalogue
    }
  }
  // A running rebuild registers photos of newer catalogues itself.
  const lock = acquireLock(join(options.state, 'lock.sqlite'))
  try {
    if (lock !== null) registerPhotos(readCatalogues(), tools)
  } finally {
    lock?.release()
  }
  const counts = await finishQueue({
    tools,
    catalogues: readCatalogues(),
    isAll: options.isAll,
    signal: options.signal,
    progress: (done, total) => options.progress(`${formatNumber(done)} of ${formatCount(total, 'photo')}`),
  })
  const note = counts.changed + counts.drawn > 0 ? 'npm run rebuild renders the pages that show them.' : ''
  return { ...counts, troubles: [...listTroubles(readCatalogues(), tools)], note }
}
