/** Parses the variables of the Worker's source, a Firestore project, and lists the missing ones. */
import type { Variables } from './coordinator-settings.ts'

/** The variables of the source, with their defaults; `null` for no default. */
export const SOURCE_DEFAULTS = {
  FIREBASE_PROJECT_ID: null,
  /** The content of a service account's key file. */
  FIREBASE_SERVICE_ACCOUNT: null,
  FIRESTORE_EMULATOR_HOST: null,
} as const

interface SourceSettings {
  /** Empty if the variable is not set. */
  readonly projectId: string
  /** `null` if the variable is not set. */
  readonly serviceAccount: string | null
  /** `host:port`; `null` for Google's service. */
  readonly emulatorHost: string | null
}

export function parseSourceSettings(variables: Variables): SourceSettings {
  const read = (name: keyof typeof SOURCE_DEFAULTS): string => String(variables[name] ?? '').trim()
  return {
    projectId: read('FIREBASE_PROJECT_ID'),
    serviceAccount: read('FIREBASE_SERVICE_ACCOUNT') || null,
    emulatorHost: read('FIRESTORE_EMULATOR_HOST') || null,
  }
}

/**
 * Returns a message for each setting that the Worker still needs before it can read a seller. No message contains the
 * value of a variable.
 */
export function findSourceProblems(variables: Variables): readonly string[] {
  const { projectId, serviceAccount, emulatorHost } = parseSourceSettings(variables)
  const isKeyMissing = serviceAccount === null && emulatorHost === null
  return [
    ...(projectId === ''
      ? ['DISPATCH=queue needs FIREBASE_PROJECT_ID, which is not set: npm run deploy sets it']
      : []),
    ...(isKeyMissing
      ? [
          'DISPATCH=queue needs the secret FIREBASE_SERVICE_ACCOUNT, which is not set: ' +
            'npx wrangler secret put FIREBASE_SERVICE_ACCOUNT < key.json',
        ]
      : []),
  ]
}
