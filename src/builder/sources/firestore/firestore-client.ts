/** Opens the Firestore client, and explains its errors. */
import { existsSync, readFileSync } from 'node:fs'
import { deleteApp, initializeApp } from 'firebase-admin/app'
import type { Firestore } from 'firebase-admin/firestore'
import { getFirestore, v1 } from 'firebase-admin/firestore'
import { readMessage } from '../../../domain/documents/errors.ts'
import type { FirestorePlace } from '../../../domain/documents/firestore-advice.ts'
import { createAdvice, formatPlace, hideSecrets } from '../../../domain/documents/firestore-advice.ts'
import { parseJson } from '../../../domain/documents/json.ts'
import { SourceError } from '../source.ts'
import { createCalls } from './firestore-calls.ts'

export interface FirestoreOptions extends FirestorePlace {
  /** The value of `GOOGLE_APPLICATION_CREDENTIALS`, only checked here: Google's library reads the variable itself. */
  readonly credentialsFile: string | null
  /** Milliseconds without an answer after which a read fails. */
  readonly patience?: number
}

interface FirestoreClient {
  readonly database: Firestore
  readFailure(): string | null
  /** Ends every call, also those that begin later. May be called again. */
  close(): void
}

/** Milliseconds between `close` and the release of the client. Releasing the client earlier crashes the process. */
const REST = 10_000

const ADVICE = createAdvice(
  'GOOGLE_APPLICATION_CREDENTIALS',
  'name the key file of a service account in GOOGLE_APPLICATION_CREDENTIALS',
)

let opened = 0

export async function openClient(options: FirestoreOptions): Promise<FirestoreClient> {
  const { projectId, emulatorHost } = options
  try {
    const access = emulatorHost === null ? await findCredentials(options) : formatEmulator(emulatorHost)
    const app = initializeApp({ projectId }, `vitrina-${(opened += 1)}`)
    const database = getFirestore(app)
    const calls = createCalls()
    database.settings({ ...access, grpcOptions: { 'grpc.callInvocationTransformer': calls.transform } })
    const release = (): void => void Promise.allSettled([database.terminate(), deleteApp(app)])
    let rest: NodeJS.Timeout | undefined
    const close = (): void => {
      calls.end()
      rest ??= setTimeout(release, REST).unref()
    }
    return { database, readFailure: calls.readFailure, close }
  } catch (error) {
    throw explainFirestore(options, error)
  }
}

export function explainFirestore(place: FirestorePlace, error: unknown): SourceError {
  if (error instanceof SourceError) return error
  const why = hideSecrets(readMessage(error)).replace(/^\d+ (?=[A-Z_]+: )/, '')
  const kind = /default credentials/i.test(why) ? 'NO_CREDENTIALS' : /^([A-Z_]+): /.exec(why)?.[1]
  const next = ADVICE.get(kind ?? '') ?? adviseConnection(place)
  return new SourceError(`cannot read ${formatPlace(place)} (${why}): ${next}`, { cause: error })
}

function adviseConnection({ emulatorHost }: FirestorePlace): string {
  return emulatorHost === null
    ? 'check that this machine reaches firestore.googleapis.com, then run again'
    : `check that an emulator runs at ${emulatorHost}, then run again (without FIRESTORE_EMULATOR_HOST the real project is read)`
}

// Detects missing credentials before the first call, because the client does not handle this error during a call, and
// an unhandled rejection ends the process. The library's own error for a file that is not JSON would quote the key.
async function findCredentials({ credentialsFile: file }: FirestoreOptions): Promise<object> {
  const isJson = file === null || (existsSync(file) && parseJson(readFileSync(file, 'utf8')) !== undefined)
  if (!isJson)
    throw new SourceError(
      `cannot read Firestore: GOOGLE_APPLICATION_CREDENTIALS names ${file}, which is not a file with JSON: name the key file of a service account there`,
    )
  const { auth } = new v1.FirestoreClient()
  const { emitWarning } = process
  // The library would also print that it found no metadata server.
  process.emitWarning = () => {}
  try {
    await auth.getClient()
  } finally {
    process.emitWarning = emitWarning
  }
  return { auth }
}

// Without `universeDomain` the client looks for credentials, which an emulator does not need.
function formatEmulator(host: string): object {
  return { host, ssl: false, clientOptions: { universeDomain: 'googleapis.com' } }
}
