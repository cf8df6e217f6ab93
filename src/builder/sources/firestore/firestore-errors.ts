/** Explains the errors of Firestore's client and what to do about them. */
import type { FirestorePlace } from '../../../domain/documents/firestore-advice.ts'
import { createAdvice, formatPlace, hideSecrets } from '../../../domain/documents/firestore-advice.ts'
import { SourceError } from '../source.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

const NEXT = createAdvice(
  'GOOGLE_APPLICATION_CREDENTIALS',
  'name the key file of a service account in GOOGLE_APPLICATION_CREDENTIALS',
)

export function explainFirestore(place: FirestorePlace, error: unknown): SourceError {
  if (error instanceof SourceError) return error
  const why = readReason(error)
  const next = NEXT.get(findKind(why)) ?? adviseConnection(place)
  return new SourceError(`cannot read ${formatPlace(place)} (${why}): ${next}`, { cause: error })
}

function readReason(error: unknown): string {
  return hideSecrets(readMessage(error))
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
