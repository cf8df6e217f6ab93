/** Opens the Firestore client, which reads its credentials from the environment as Google's tools do. */
import { readFileSync } from 'node:fs'
import { deleteApp, initializeApp } from 'firebase-admin/app'
import type { Firestore } from 'firebase-admin/firestore'
import { getFirestore, v1 } from 'firebase-admin/firestore'
import type { FirestorePlace } from '../../../domain/documents/firestore-advice.ts'
import { readMessage } from '../../../domain/documents/errors.ts'
import { parseJson } from '../../../domain/documents/json.ts'
import { SourceError } from '../source.ts'
import type { Calls } from './firestore-calls.ts'
import { createCalls } from './firestore-calls.ts'
import { explainFirestore } from './firestore-errors.ts'

export interface FirestoreOptions extends FirestorePlace {
  /** The value of `GOOGLE_APPLICATION_CREDENTIALS`, only checked here: Google's library reads the variable itself. */
  readonly credentialsFile: string | null
  /** Milliseconds without an answer after which a read fails. */
  readonly patience?: number
}

interface FirestoreClient {
  readonly database: Firestore
  readonly calls: Calls
  close(): void
}

/** Milliseconds between `close` and the release of the client. Releasing the client earlier crashes the process. */
const REST = 10_000

let opened = 0

export async function openClient(options: FirestoreOptions): Promise<FirestoreClient> {
  const { projectId, emulatorHost } = options
  try {
    const access = emulatorHost === null ? await findCredentials(options) : formatEmulator(emulatorHost)
    opened += 1
    const app = initializeApp({ projectId }, `vitrina-${opened}`)
    const database = getFirestore(app)
    const calls = createCalls()
    database.settings({ ...access, grpcOptions: { 'grpc.callInvocationTransformer': calls.transform } })
    const release = (): void => void Promise.allSettled([database.terminate(), deleteApp(app)])
    let isClosed = false
    const close = (): void => {
      if (isClosed) return
      isClosed = true
      calls.end()
      setTimeout(release, REST).unref()
    }
    return { database, calls, close }
  } catch (error) {
    throw explainFirestore(options, error)
  }
}

// Detects missing credentials before the first call, because the client does not handle this error during a call, and
// an unhandled rejection ends the process.
async function findCredentials({ credentialsFile }: FirestoreOptions): Promise<object> {
  if (credentialsFile !== null) checkFile(credentialsFile)
  const { auth } = new v1.FirestoreClient()
  await auth.getClient()
  return { auth }
}

// The library's own error for such a file would quote the key.
function checkFile(file: string): void {
  const reason = findFault(file)
  if (reason === null) return
  throw new SourceError(
    `cannot read Firestore: the file of GOOGLE_APPLICATION_CREDENTIALS, ${file}, ${reason}: download a new key of a service account and name its file in GOOGLE_APPLICATION_CREDENTIALS`,
  )
}

function findFault(file: string): string | null {
  try {
    return parseJson(readFileSync(file, 'utf8')) === undefined ? 'is not JSON' : null
  } catch (error) {
    return `cannot be read (${readMessage(error)})`
  }
}

// Without `universeDomain` the client looks for credentials, which an emulator does not need.
function formatEmulator(host: string): object {
  return { host, ssl: false, clientOptions: { universeDomain: 'googleapis.com' } }
}
