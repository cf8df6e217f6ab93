/**
 * A site of objects on the local runtime whose store outlives its Worker, so that other code can be started over it.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashInputs } from '../../../src/builder/commands/rebuild/open-renderers.ts'
import type { CoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { Edge } from '../../../src/builder/commands/local/local-edge.ts'
import type { ObjectClient } from '../../../src/builder/publish/objects/object-client.ts'
import { createObjectClient } from '../../../src/builder/publish/objects/object-client.ts'
import { compileRenderer } from '../../../src/builder/renderer/compile.ts'
import { ROOT, STORE } from '../../../src/builder/state/project-folder.ts'
import { createSiteSettings, startObjectsWorker } from '../../local/objects-worker.ts'
import { SECRET } from '../webhook/webhook-notices.ts'
import { writeAgainWorker } from './again-worker.ts'
import type { FirestoreStandIn } from './firestore-stand-in.ts'

export interface RunningStore {
  readonly origin: string
  readonly client: ObjectClient
  readonly coordinator: CoordinatorClient
  readonly firestore: FirestoreStandIn
}

export interface StoreOptions {
  readonly folder: string
  readonly firestore: FirestoreStandIn
  /** Nothing is started after it is aborted. */
  readonly end: AbortSignal
}

export interface EdgeStore {
  /** Ends the Worker that runs, and starts one with this name of the site, which is part of its code. */
  start(siteName: string): Promise<RunningStore>
  close(): Promise<void>
}

/** A static file, which the runtime answers without the Worker. */
export const STATIC_FILE = '/robots.txt'

/** Quiet period of a seller before she is rendered, in ms. */
export const SELLER_QUIET = 200

/** Nothing runs yet. */
export async function createEdgeStore({ folder, firestore, end }: StoreOptions): Promise<EdgeStore> {
  const kept = await compileRenderer({ root: ROOT, store: STORE, code: hashInputs() }, hashInputs)
  const output = join(folder, 'dist')
  mkdirSync(output, { recursive: true })
  cpSync(kept.client, output, { recursive: true })
  writeFileSync(join(output, STATIC_FILE), 'User-agent: *\n')
  let running: Promise<Edge | null> = Promise.resolve(null)
  const close = async (): Promise<void> => {
    const edge = await running.catch(() => null)
    await edge?.close()
    running = Promise.resolve(null)
  }
  const start = async (siteName: string): Promise<RunningStore> => {
    await close()
    const settings = await createSiteSettings({ PHOTOS: 'off', SITE_NAME: siteName, REBUILD_SECRET: SECRET })
    const variables = {
      REBUILD_QUIET_MS: String(SELLER_QUIET),
      SELLER_QUIET_MS: '0',
      DISPATCH: 'queue',
      FIREBASE_PROJECT_ID: firestore.project,
      FIRESTORE_EMULATOR_HOST: firestore.host,
    }
    end.throwIfAborted()
    const entry = writeAgainWorker(folder)
    const started = startObjectsWorker({ folder, output, kept, settings, variables, entry })
    running = started
    const edge = await started
    const coordinator = createCoordinatorClient({ url: edge.origin, secrets: [SECRET] })
    return { origin: edge.origin, coordinator, client: createObjectClient(coordinator), firestore }
  }
  return { start, close }
}
