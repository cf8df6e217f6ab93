/** Updates one photo in the store: fetches or reads it, makes the picture and stores it, or stores the failure. */
import type { PhotoHosts } from '../../domain/photos/photo-hosts.ts'
import { placePhoto } from '../../domain/photos/photo-hosts.ts'
import { growDelay } from '../../domain/work/backoff.ts'
import { hashBytes } from '../files/file-hashes.ts'
import { encodePhoto, RECIPE } from './encode-photo.ts'
import { fetchPhoto, PhotoError } from './fetch-photo.ts'
import type { KnownPhoto, MadePicture, PictureOrigin } from './photo-rows.ts'
import type { PictureStore } from './picture-store.ts'

export interface PictureTools {
  readonly store: PictureStore
  readonly hosts: PhotoHosts
  /** The site's name. */
  readonly brand: string
  /** Returns the bytes of a file in the site's public folder; `null` when there is none. */
  readonly readPublicFile: (path: string) => Uint8Array | null
  /** Returns milliseconds since 1970, to decide which photos are due. The time is no input of the pages. */
  readonly now: () => number
}

interface PhotoLimits {
  /** Max time in which a photo must arrive, in milliseconds. */
  readonly time: number
  readonly signal: AbortSignal
}

const HOUR = 60 * 60_000
/** Less than a day, so that a photo is due again in the next nightly run. */
const REVALIDATE_AFTER = 20 * HOUR
const RETRY = { first: HOUR / 6, longest: 7 * 24 * HOUR }

/** Returns true if the photo has another picture now. Stores nothing if the signal aborts while it is fetched. */
export async function updatePhoto(address: string, tools: PictureTools & PhotoLimits): Promise<boolean> {
  const { store, now, signal } = tools
  const known = store.readPhoto(address)
  try {
    const made = await makePicture(address, known, tools)
    return store.transact(() => {
      store.keepTry(address, now() + REVALIDATE_AFTER, null)
      return made !== null && store.keepPicture(address, made)
    })
  } catch (error) {
    if (signal.aborted) return false
    if (!(error instanceof PhotoError)) throw error
    store.keepTry(address, now() + growDelay(RETRY, known.tries + 1, Math.random()), error.message)
    return false
  }
}

/** Returns `null` if the stored picture is that of the photo. */
async function makePicture(
  address: string,
  known: KnownPhoto,
  tools: PictureTools & PhotoLimits,
): Promise<(MadePicture & PictureOrigin) | null> {
  const isCurrent = known.recipe === RECIPE
  const place = placePhoto(address, tools.hosts)
  const photo =
    place.kind === 'own'
      ? { bytes: tools.readPublicFile(place.path), etag: null }
      : await fetchPhoto(address, { ...tools, etag: isCurrent ? known.etag : null })
  if (photo === null) return null
  if (photo.bytes === null) throw new PhotoError('is not in the public folder')
  const source = hashBytes(photo.bytes)
  if (isCurrent && known.source === source) return null
  return { ...(await encodePhoto(photo.bytes)), source, recipe: RECIPE, etag: photo.etag }
}
