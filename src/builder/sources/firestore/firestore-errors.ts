/** Explains Firestore's errors and what to do about them. Source: https://grpc.io/docs/guides/status-codes/ */
import { SourceError } from '../source.ts'

export interface FirestorePlace {
  readonly projectId: string
  /** `host:port` of an emulator, `null` for Google's service. */
  readonly emulatorHost: string | null
}

const KEY = 'name the key file of a service account in GOOGLE_APPLICATION_CREDENTIALS'
const PROJECT = 'check that FIREBASE_PROJECT_ID names the right project'

const NEXT: ReadonlyMap<string, string> = new Map([
  ['INVALID_ARGUMENT', `${PROJECT}, with a Firestore database in native mode`],
  ['NOT_FOUND', `${PROJECT}, with a Firestore database named (default)`],
  [
    'PERMISSION_DENIED',
    `${PROJECT}, and give the account of GOOGLE_APPLICATION_CREDENTIALS the role Cloud Datastore Viewer there`,
  ],
  ['RESOURCE_EXHAUSTED', 'its quota is used up: run again later, or raise it in the Google Cloud console'],
  [
    'FAILED_PRECONDITION',
    `${PROJECT}, with a Firestore database in native mode and the usual index of the field owner.id`,
  ],
  ['UNAUTHENTICATED', `${KEY} that is not revoked, and check that the clock is right`],
  ['NO_CREDENTIALS', KEY],
])

const SECRETS = /-----BEGIN[^]*|\b(?:ya29\.|eyJ)[\w.-]+/g

export function explainFirestore(place: FirestorePlace, error: unknown): SourceError {
  if (error instanceof SourceError) return error
  const why = readReason(error)
  const next = NEXT.get(findKind(why)) ?? adviseConnection(place)
  return new SourceError(`cannot read ${formatPlace(place)} (${why}): ${next}`, { cause: error })
}

export function formatPlace({ projectId, emulatorHost }: FirestorePlace): string {
  return `the Firestore project ${projectId}${emulatorHost === null ? '' : ' on an emulator'}`
}

// In `2 UNKNOWN: UNAVAILABLE: connect …` the last code is the original one; `firestore-calls.ts` added the first.
function readReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text
    .replaceAll(SECRETS, '…')
    .replace(/^\d+ [A-Z_]+: (?=[A-Z_]+: )/, '')
    .replace(/^\d+ (?=[A-Z_]+: )/, '')
    .replace(/ Resolution note: $/, '')
}

function findKind(why: string): string {
  if (/default credentials/i.test(why)) return 'NO_CREDENTIALS'
  return /^([A-Z_]+): /.exec(why)?.[1] ?? ''
}

function adviseConnection({ emulatorHost }: FirestorePlace): string {
  return emulatorHost === null
    ? 'check that this machine reaches firestore.googleapis.com, then run again'
    : `check that an emulator runs at ${emulatorHost}, then run again (without FIRESTORE_EMULATOR_HOST the real project is read)`
}
