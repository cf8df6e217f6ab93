/**
 * Names a Firestore database, gives advice for Firestore's errors, and removes secrets from their texts. Source:
 * https://grpc.io/docs/guides/status-codes/
 */

const PROJECT = 'check that FIREBASE_PROJECT_ID names the right project'

const SECRETS = /-----BEGIN[^]*|\b(?:ya29\.|eyJ|[Bb]earer\s+)[\w.~+/=-]+/g

/**
 * Returns advice by gRPC status code, for the codes that need special advice, and for this program's own code
 * `NO_CREDENTIALS`. `key` names the setting with the service account's key. `nextKey` is the advice on how to set this
 * key.
 */
export function createAdvice(key: string, nextKey: string): ReadonlyMap<string, string> {
  return new Map([
    ['INVALID_ARGUMENT', `${PROJECT}, with a Firestore database in native mode`],
    ['NOT_FOUND', `${PROJECT}, with a Firestore database named (default)`],
    ['PERMISSION_DENIED', `${PROJECT}, and give the account of ${key} the role Cloud Datastore Viewer there`],
    [
      'RESOURCE_EXHAUSTED',
      'its quota is used up: wait until it is reset, or raise it in the Google Cloud console',
    ],
    [
      'FAILED_PRECONDITION',
      `${PROJECT}, with a Firestore database in native mode and the index of the field owner.id that Firestore creates by default`,
    ],
    ['UNAUTHENTICATED', `${nextKey}, check that the key is not revoked, and check that the clock is right`],
    ['NO_CREDENTIALS', nextKey],
  ])
}

export interface FirestorePlace {
  readonly projectId: string
  /** `host:port` of an emulator, `null` for Google's service. */
  readonly emulatorHost: string | null
}

export function formatPlace({ projectId, emulatorHost }: FirestorePlace): string {
  return `the Firestore project ${projectId}${emulatorHost === null ? '' : ' on an emulator'}`
}

/** Removes keys and tokens from an error's text. */
export function hideSecrets(text: string): string {
  return text.replaceAll(SECRETS, '…')
}
