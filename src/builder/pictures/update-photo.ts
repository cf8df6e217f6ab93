/** Updates one photo in the store: fetches or reads it, makes the picture and stores it, or stores the failure. */
import type { LookupFunction } from 'node:net'
import { placePhoto } from '../../domain/photos/photo-hosts.ts'
import { hashBytes } from '../files/file-hashes.ts'
import type { Turn } from './encode-photo.ts'
import { encodePhoto } from './encode-photo.ts'
import type { Fetched, FetchLimits } from './fetch-photo.ts'
import { fetchPhoto, PhotoError } from './fetch-photo.ts'
import type { KnownPhoto } from './photo-rows.ts'
import { RECIPE } from './recipe.ts'
import type { SocialTools } from './social-inputs.ts'

export interface PhotoTools extends SocialTools {
  readonly limits: FetchLimits
  readonly lookUp: LookupFunction
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export type PhotoResult = 'changed' | 'unchanged' | 'failed'

const MINUTE = 60_000

/** Less than a day, so that a photo is due again in the next nightly run. In milliseconds. */
const REVALIDATE_AFTER = 20 * 60 * MINUTE
const LONGEST_WAIT = 7 * 24 * 60 * MINUTE

const NO_VALIDATORS = { etag: null, modified: null }

/**
 * If `signal` aborts, stores nothing; returns `null` if the photo was waiting for its turn, and else throws the reason.
 */
export async function updatePhoto(
  known: KnownPhoto,
  tools: PhotoTools,
  turn: Turn,
): Promise<PhotoResult | null> {
  const { signal } = turn
  let source = ''
  try {
    const fetched = await readPhoto(known, tools, signal)
    if (fetched.kind === 'unchanged') return keepUnchanged(known, tools)
    source = hashBytes(fetched.bytes)
    if (known.isCurrent && known.source === source) return keepUnchanged(known, tools)
    const made = await encodePhoto(fetched.bytes, turn)
    if (made === null) return null
    const { store } = tools
    const [at, { validators }] = [tools.now(), fetched]
    const kept = { made, validators, source, recipe: RECIPE, at, due: at + REVALIDATE_AFTER }
    return store.transact(() => store.keepPicture(known.address, kept)) ? 'changed' : 'unchanged'
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof PhotoError)) throw error
    keepFailure(known, tools, { reason: error.message, source })
    return 'failed'
  }
}

/** The photo is due again 10 minutes after its first failure, twice as long after each further one, at most a week. */
export function keepFailure(
  { address, tries }: KnownPhoto,
  { store, now }: PhotoTools,
  { reason, source }: { readonly reason: string; readonly source: string },
): void {
  const at = now()
  const due = at + Math.min(10 * MINUTE * 2 ** tries, LONGEST_WAIT)
  store.keepFailure(address, reason, { source, at, due })
}

async function readPhoto(known: KnownPhoto, tools: PhotoTools, signal: AbortSignal): Promise<Fetched> {
  const place = placePhoto(known.address, tools.hosts)
  if (place.kind === 'own') {
    const bytes = tools.readPublicFile(place.path)
    if (bytes === null) throw new PhotoError('is not in the public folder')
    return { kind: 'photo', bytes, validators: NO_VALIDATORS }
  }
  // The bytes are needed to make a picture of another recipe again.
  const validators = known.isCurrent ? known.validators : NO_VALIDATORS
  return fetchPhoto(known.address, { ...tools, validators, signal })
}

function keepUnchanged({ address }: KnownPhoto, { store, now }: PhotoTools): PhotoResult {
  const at = now()
  store.keepUnchanged(address, { at, due: at + REVALIDATE_AFTER })
  return 'unchanged'
}
