/** Runs the photos command: opens state and store, and makes all pictures that are due. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from '../files/file-hashes.ts'
import { ROOT } from '../files/project-folder.ts'
import { UsageError } from '../files/usage-error.ts'
import { formatCount } from '../format-numbers.ts'
import { openPictures } from '../pictures/open-pictures.ts'
import type { MadeReport, Pictures } from '../pictures/pictures.ts'
import { NOTHING_MADE } from '../pictures/pictures.ts'
import { readCatalogues } from '../rebuild/due-pictures.ts'
import { acquireLock, BusyError } from '../state/locks.ts'
import type { SiteState } from '../state/site-state.ts'
import { openState } from '../state/site-state.ts'
import type { Configuration } from './configuration.ts'
import { readPublicFile } from './rebuild/page-inputs.ts'
import { PICTURES, STATE } from './rebuild/state-files.ts'

export interface PhotosOptions {
  readonly state: string
  /** True to include photos that are not due yet. */
  readonly isAll: boolean
  readonly configuration: Configuration
  readonly signal: AbortSignal
  readonly progress: (text: string) => void
  readonly warn: (message: string) => void
}

export interface PhotoReport extends MadeReport {
  /** A further sentence to print; empty if there is none. */
  readonly note: string
}

export const NO_PHOTOS: PhotoReport = { ...NOTHING_MADE, note: '' }

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
    const store = join(options.state, PICTURES)
    const setup = { ...photos, brand: site.name, store }
    const pictures = openPictures(setup, { readPublicFile, now: Date.now, warn: options.warn })
    try {
      return await work(state, pictures, options)
    } finally {
      pictures.close()
    }
  } finally {
    state.close()
  }
}

async function work(state: SiteState, pictures: Pictures, options: PhotosOptions): Promise<PhotoReport> {
  const publicFiles = readManifest(join(ROOT, 'public'), '.')
  pictures.renewOwn(publicFiles)
  const inputs = { maxProducts: options.configuration.maxProducts, publicFiles }
  const read = (sellers: Iterable<string> = state.readSellers()) => readCatalogues(state, inputs, sellers)
  // A rebuild that runs registers the photos of newer catalogues itself.
  const lock = acquireLock(join(options.state, 'lock.sqlite'))
  try {
    if (lock !== null) pictures.clean(read())
  } finally {
    lock?.release()
  }
  const made = await pictures.make({
    scope: options.isAll ? 'all' : 'due',
    readCatalogues: read,
    time: Infinity,
    drawsAll: false,
    signal: options.signal,
    progress: (done) => options.progress(formatCount(done, 'photo')),
  })
  const isNew = made.changed + made.drawn > 0
  const note = isNew ? 'npm run rebuild renders the pages that show the new or changed pictures.' : ''
  return { ...made, note }
}
