/** Opens the Firestore client, which takes its credentials from the environment as Google's tools do. */
import { deleteApp, initializeApp } from 'firebase-admin/app'
import type { Firestore } from 'firebase-admin/firestore'
import { getFirestore, v1 } from 'firebase-admin/firestore'
import type { Patience } from './firestore-calls.ts'
import { createCalls } from './firestore-calls.ts'
import { checkCredentials } from './firestore-credentials.ts'
import type { FirestorePlace } from './firestore-errors.ts'
import { explainFirestore } from './firestore-errors.ts'

export interface FirestoreOptions extends FirestorePlace {
  /** What `GOOGLE_APPLICATION_CREDENTIALS` names, to be looked at: Google's library reads the variable itself. */
  readonly credentialsFile: string | null
  readonly patience?: Partial<Patience>
}

export interface FirestoreClient {
  readonly database: Firestore
  close(): void
}

const PATIENCE: Patience = { failing: 20_000, silence: 60_000 }
/** An emulator is near: it answers, or it is not there. */
const PATIENCE_WITH_EMULATOR: Patience = { failing: 2_000, silence: 60_000 }

/** So long the client may take to find that its calls were ended: were it gone before, it would end the process. */
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
        // An app that is deleted twice throws, ten seconds later and to nobody.
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

// Found before the first call, since the client leaves their lack unhandled, which ends the process.
async function findCredentials({ credentialsFile }: FirestoreOptions): Promise<object> {
  if (credentialsFile !== null) checkCredentials(credentialsFile)
  const { auth } = new v1.FirestoreClient()
  await auth.getClient()
  return { auth }
}

// The universe is said because the client would otherwise look for credentials, which an emulator needs none of.
function formatEmulator(host: string): object {
  return { host, ssl: false, clientOptions: { universeDomain: 'googleapis.com' } }
}
