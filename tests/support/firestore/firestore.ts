/** A Firestore emulator: one in this process, or the one at `FIRESTORE_EMULATOR_HOST`. */
import { deleteApp, initializeApp } from 'firebase-admin/app'
import type { Firestore } from 'firebase-admin/firestore'
import { getFirestore } from 'firebase-admin/firestore'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Emulator } from '../../../scripts/emulator/firestore-emulator.ts'
import { startEmulator as startOwnEmulator } from '../../../scripts/emulator/firestore-emulator.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { FirestoreOptions } from '../../../src/builder/sources/firestore/firestore-client.ts'
import type { DocumentKey } from '../../../src/builder/sources/source.ts'

/** Max writes per batch. */
const BATCH = 500

/** A separate database on the emulator. */
export interface FirestoreProject {
  readonly id: string
  readonly options: FirestoreOptions
  /** For operations that this interface lacks. */
  readonly database: Firestore
  write(documents: readonly SourceDocument[]): Promise<void>
  /** Fields may be dotted paths. */
  update(key: DocumentKey, fields: Record<string, unknown>): Promise<void>
  remove(keys: readonly DocumentKey[]): Promise<void>
  close(): Promise<void>
}

/** Starts one emulator per test file. Returns a function that opens projects, which are closed after each test. */
export function useFirestore(): () => FirestoreProject {
  let emulator: Emulator
  const projects: FirestoreProject[] = []
  beforeAll(async () => {
    emulator = await startTestEmulator()
  })
  afterEach(async () => {
    await Promise.all(projects.splice(0).map((project) => project.close()))
  })
  afterAll(() => emulator.stop())
  return () => {
    const project = openProject(emulator.host)
    projects.push(project)
    return project
  }
}

async function startTestEmulator(): Promise<Emulator> {
  const host = process.env['FIRESTORE_EMULATOR_HOST']
  if (host) return { host, stop: async () => {} }
  return startOwnEmulator()
}

let opened = 0

function openProject(host: string): FirestoreProject {
  opened += 1
  const id = `demo-${process.pid}-${opened}`
  const app = initializeApp({ projectId: id }, id)
  const database = getFirestore(app)
  database.settings({ host, ssl: false, clientOptions: { universeDomain: 'googleapis.com' } })
  return {
    id,
    options: { projectId: id, emulatorHost: host, credentialsFile: null },
    database,
    write: async (documents) => {
      for (let start = 0; start < documents.length; start += BATCH)
        await writeBatch(database, documents.slice(start, start + BATCH))
    },
    update: async ({ collection, id: name }, fields) => {
      await database.collection(collection).doc(name).update(fields)
    },
    remove: async (keys) => {
      const batch = database.batch()
      for (const key of keys) batch.delete(database.collection(key.collection).doc(key.id))
      await batch.commit()
    },
    close: async () => {
      await database.terminate()
      await deleteApp(app)
    },
  }
}

async function writeBatch(database: Firestore, documents: readonly SourceDocument[]): Promise<void> {
  const batch = database.batch()
  for (const { collection, id, data } of documents)
    batch.set(database.collection(collection).doc(id), data as object)
  await batch.commit()
}
