/** Updates one photo in the store: fetches or reads it, makes the picture and stores it, or stores the failure. */
import { createHash } from 'node:crypto'
import { placePhoto } from '../../../domain/photos/photo-hosts.ts'
import type { Fetched, FetchLimits } from './fetch-photo.ts'
import type { LookUp } from './host-lookup.ts'
import type { LimitPixels } from './pixel-budget.ts'
import { PhotoError } from './photo-error.ts'
import type { SocialTools } from '../social/social-inputs.ts'
import type { KnownPhoto } from '../store/photo-queue.ts'
import { LONGEST_WAIT } from '../store/photo-queue.ts'

export interface PhotoTools extends SocialTools {
  readonly limits: FetchLimits
  readonly lookUp: LookUp
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Whether each photo also gets a preview: uncropped files for the link preview and the page of its product. */
  readonly makesPreviews: boolean
  /** Limits the number of pictures in progress at once, and their pixels. */
  readonly limitMaking: LimitPixels
}

/** `changed`: the new picture or its preview differs from the stored one, or none was stored. */
export type PhotoResult =
  | { readonly kind: 'changed' | 'unchanged' }
  /** `isLate`: the fetch timed out. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isLate: boolean }

const MINUTE = 60_000

/**
 * Time until a photo is revalidated, in milliseconds. Less than a day, so that the photo is due again in the next
 * nightly run.
 */
const REVALIDATE_AFTER = 20 * 60 * MINUTE

const NO_VALIDATORS = { etag: null, modified: null }

/** Stores a failure for a photo that is not requested, because its host timed out repeatedly. */
export function skipPhoto({ address, tries }: KnownPhoto, { store, now }: PhotoTools): PhotoResult {
  const reason = 'was not requested: its host did not answer earlier requests'
  store.keepFailure(address, { reason, source: '', due: now() + findRetryDelay(tries + 1) })
  return { kind: 'failed', reason, isLate: false }
}

/** If `signal` aborts, stores nothing and throws its reason. */
export async function processPhoto(
  known: KnownPhoto,
  tools: PhotoTools,
  signal: AbortSignal,
): Promise<PhotoResult> {
  const { store, now } = tools
  let source = ''
  try {
    const fetched = await readPhoto(known, tools, signal)
    if (fetched.kind === 'unchanged') return keepUnchanged(known, tools)
    source = createHash('sha256').update(fetched.bytes).digest('hex')
    return await updatePicture(known, { ...fetched, source }, tools, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof PhotoError)) throw error
    const due = now() + findRetryDelay(known.tries + 1)
    store.keepFailure(known.address, { reason: error.message, source, due })
    return { kind: 'failed', reason: error.message, isLate: error.isLate }
  }
}

async function readPhoto(known: KnownPhoto, tools: PhotoTools, signal: AbortSignal): Promise<Fetched> {
  const { address } = known
  const { hosts, limits, lookUp, readPublicFile } = tools
  const place = placePhoto(address, hosts)
  if (place.kind === 'own') {
    const bytes = readPublicFile(place.path)
    if (bytes === null) throw new PhotoError('is not in the public folder')
    return { kind: 'photo', bytes, validators: NO_VALIDATORS }
  }
  // The request is conditional only if the pictures are current; otherwise the bytes are needed to make them again.
  const validators = known.hasPicture && isCurrent(known, tools) ? known.validators : NO_VALIDATORS
  const { fetchPhoto } = await import('./fetch-photo.ts')
  return fetchPhoto(address, { hosts, validators, limits, lookUp, signal })
}

async function updatePicture(
  known: KnownPhoto,
  { bytes, validators, source }: Extract<Fetched, { kind: 'photo' }> & { readonly source: string },
  tools: PhotoTools,
  signal: AbortSignal,
): Promise<PhotoResult> {
  if (isCurrent(known, tools) && known.source === source) return keepUnchanged(known, tools)
  const { makePicture } = await import('./make-picture.ts')
  const { store, now, makesPreviews } = tools
  const limit: LimitPixels = (pixels, work) =>
    tools.limitMaking(pixels, () => {
      signal.throwIfAborted()
      return work()
    })
  const made = await makePicture(bytes, limit, makesPreviews)
  signal.throwIfAborted()
  const { picture, preview } = made
  const due = now() + REVALIDATE_AFTER
  const previewed = makesPreviews ? { preview: preview?.preview ?? null } : null
  const files = [...made.files, ...(preview?.files ?? [])]
  const isNew = store.transact(() =>
    store.keepPicture(known.address, { picture, files, previewed, source, validators, due }),
  )
  return { kind: isNew ? 'changed' : 'unchanged' }
}

function isCurrent(known: KnownPhoto, { makesPreviews }: PhotoTools): boolean {
  return known.isCurrent && (known.isPreviewed || !makesPreviews)
}

function keepUnchanged({ address }: KnownPhoto, { store, now }: PhotoTools): PhotoResult {
  store.keepUnchanged(address, now() + REVALIDATE_AFTER)
  return { kind: 'unchanged' }
}

/** Returns milliseconds: 10 minutes after the first failure, twice as long after each further one, at most a week. */
export function findRetryDelay(failures: number): number {
  return Math.min(10 * MINUTE * 2 ** (failures - 1), LONGEST_WAIT)
}
