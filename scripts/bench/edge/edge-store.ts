/**
 * Starts a site of objects on the local runtime. The stored objects outlive the Worker, so that a Worker with other
 * code can serve them.
 */
import { mkdirSync } from 'node:fs'
import type { CoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { Edge } from '../../../src/builder/commands/local/local-edge.ts'
import type { ObjectClient } from '../../../src/builder/publish/objects/object-client.ts'
import { createObjectClient } from '../../../src/builder/publish/objects/object-client.ts'
import { createSiteSettings, startObjectsWorker } from '../../local/objects-worker.ts'
import { BENCH_SECRET } from '../webhook/webhook-notices.ts'
import { writeAgainWorker } from './again-worker.ts'
import type { FirestoreStandIn } from './firestore-stand-in.ts'

export interface RunningStore {
  readonly origin: string
  readonly client: ObjectClient
  readonly coordinator: CoordinatorClient
  readonly firestore: FirestoreStandIn
}

interface StoreOptions {
  readonly folder: string
  readonly firestore: FirestoreStandIn
  /** Once this signal aborts, no Worker is started. */
  readonly end: AbortSignal
}

export interface EdgeStore {
  /**
   * Stops the running Worker and starts one with this site name. Another name changes the code of the Worker, because
   * the compiled pages contain the name.
   */
  start(siteName: string): Promise<RunningStore>
  close(): Promise<void>
}

/** Static file that the runtime serves without calling the Worker. */
export const STATIC_FILE = '/favicon.svg'

/** Quiet period after a change before the seller is rendered, in ms. */
export const SELLER_QUIET = 200

/** Creates the store's folder; does not start a Worker. */
export function createEdgeStore({ folder, firestore, end }: StoreOptions): EdgeStore {
  mkdirSync(folder, { recursive: true })
  let running: Promise<Edge | null> = Promise.resolve(null)
  const close = async (): Promise<void> => {
    const edge = await running.catch(() => null)
    await edge?.close()
    running = Promise.resolve(null)
  }
  const start = async (siteName: string): Promise<RunningStore> => {
    await close()
    const settings = await createSiteSettings({
      PHOTOS: 'off',
      SITE_NAME: siteName,
      REBUILD_SECRET: BENCH_SECRET,
    })
    const variables = {
      REBUILD_QUIET_MS: String(SELLER_QUIET),
      SELLER_QUIET_MS: '0',
      DISPATCH: 'queue',
      FIREBASE_PROJECT_ID: firestore.project,
      FIRESTORE_EMULATOR_HOST: firestore.host,
    }
    end.throwIfAborted()
    const entry = writeAgainWorker(folder)
    const started = startObjectsWorker({ folder, settings, variables, entry })
    running = started
    const edge = await started
    const coordinator = createCoordinatorClient({ url: edge.origin, secrets: [BENCH_SECRET] })
    return { origin: edge.origin, coordinator, client: createObjectClient(coordinator), firestore }
  }
  return { start, close }
}
