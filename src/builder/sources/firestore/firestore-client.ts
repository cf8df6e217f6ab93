/** Opens the Firestore client, which reads its credentials from the environment as Google's tools do. */
import { deleteApp, initializeApp } from 'firebase-admin/app'
import type { Firestore } from 'firebase-admin/firestore'
import { getFirestore, v1 } from 'firebase-admin/firestore'
import type { FirestorePlace } from '../../../domain/documents/firestore-advice.ts'
import type { Patience } from './firestore-calls.ts'
import { createCalls } from './firestore-calls.ts'
import { checkCredentials } from './firestore-credentials.ts'
import { explainFirestore } from './firestore-errors.ts'

export interface FirestoreOptions extends FirestorePlace {
  /** The value of `GOOGLE_APPLICATION_CREDENTIALS`, only checked here: Google's library reads the variable itself. */
  readonly credentialsFile: string | null
  readonly patience?: Partial<Patience>
}

interface FirestoreClient {
  readonly database: Firestore
  close(): void
}

const PATIENCE: Patience = { failing: 20_000, silence: 60_000 }
/** `failing` is short, because an emulator is local and fails to answer only if it is not running. */
const PATIENCE_WITH_EMULATOR: Patience = { failing: 2_000, silence: 60_000 }

/** Milliseconds between `close` and the release of the client. Releasing the client earlier crashes the process. */
const REST = 10_000

let opened = 0

export async function openClient(options: FirestoreOptions): Promise<FirestoreClient> {
  const { projectId, emulatorHost } = options
  const calls = createCalls({
    ...(emulatorHost === null ? PATIENCE : PATIENCE_WITH_EMULATOR),
    ...options.patience,
  })
  try {
    const access = emulatorHost === null ? await findCredentials(options) : formatEmulator(emulatorHost)
    opened += 1
    const app = initializeApp({ projectId }, `vitrina-${opened}`)
    const database = getFirestore(app)
    database.settings({
      ...access,
      grpcOptions: { 'grpc.callInvocationTransformer': calls.transform },
    })
    const release = (): void => void Promise.allSettled([database.terminate(), deleteApp(app)])
    let isClosed = false
    return {
      database,
      close: () => {
        // Ignores a second call, because a second timer would delete the app again and throw an unhandled error.
        if (isClosed) return
        isClosed = true
        calls.close()
        setTimeout(release, REST).unref()
      },
    }
  } catch (error) {
    throw explainFirestore(options, error)
  }
}

// Detects missing credentials before the first call, because the client does not handle this error during a call, and
// an unhandled rejection ends the process.
async function findCredentials({ credentialsFile }: FirestoreOptions): Promise<object> {
  if (credentialsFile !== null) checkCredentials(credentialsFile)
  const { auth } = new v1.FirestoreClient()
  await auth.getClient()
  return { auth }
}

// Without `universeDomain` the client looks for credentials, which an emulator does not need.
function formatEmulator(host: string): object {
  return { host, ssl: false, clientOptions: { universeDomain: 'googleapis.com' } }
}
