/** The sources that the watch bench edits, filled with the same generated sellers. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { deleteApp, initializeApp } from 'firebase-admin/app'
import { getFirestore } from 'firebase-admin/firestore'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import type { Emulator } from '../../emulator/firestore-emulator.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { createSeller } from '../made-sellers.ts'
import type { PriceEdit } from '../edit-seller.ts'
import { editSeller, pickSeller } from '../edit-seller.ts'
import { ensureData } from '../write-data.ts'

/** A source that is watched and edited. */
export interface WatchedSource {
  readonly name: string
  /** Options of the rebuild. */
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Settles when the edit is stored. */
  edit(turn: number): Promise<PriceEdit>
  close(): Promise<void>
}

const FROM = 100_000
const BATCH = 400

export async function createDatabase(folder: string, sellers: number): Promise<WatchedSource> {
  const file = join(folder, 'source.sqlite')
  await importFolder(await ensureData(folder, { sellers, largest: null }, () => {}), file, {})
  return {
    name: 'the embedded database',
    args: ['--source', file],
    environment: {},
    edit: async (turn) => editSeller(file, pickSeller(sellers, turn), turn),
    close: async () => {},
  }
}

// The emulator scans every document after each change: with more sellers, the bench would measure the emulator.
const MOST_EMULATED = 10

export async function createFirestore(_folder: string, wanted: number): Promise<WatchedSource> {
  const sellers = Math.min(wanted, MOST_EMULATED)
  const emulator = await forkEmulator()
  const projectId = 'demo-bench'
  const app = initializeApp({ projectId }, projectId)
  const database = getFirestore(app)
  // Without a universe domain the client looks for credentials.
  const clientOptions = { universeDomain: 'googleapis.com' }
  database.settings({ host: emulator.host, ssl: false, clientOptions })
  const made = Array.from({ length: sellers }, (_, number) => createSeller(number))
  const documents = made.flatMap(({ profile, products }) => [...(profile ? [profile] : []), ...products])
  const find = ({ collection, id }: SourceDocument) => database.collection(collection).doc(id)
  for (let start = 0; start < documents.length; start += BATCH) {
    const batch = database.batch()
    for (const document of documents.slice(start, start + BATCH))
      batch.set(find(document), document.data as object)
    await batch.commit()
  }
  return {
    name: 'Firestore',
    args: ['--source', 'firestore'],
    environment: { FIREBASE_PROJECT_ID: projectId, FIRESTORE_EMULATOR_HOST: emulator.host },
    edit: async (turn) => {
      const { id: seller, products } = createSeller(turn % sellers)
      const price = FROM + turn
      if (products[0] !== undefined) await find(products[0]).update({ price })
      return { seller, shown: formatPrice(price) }
    },
    close: async () => {
      await database.terminate()
      await deleteApp(app)
      await emulator.stop()
    },
  }
}

// In a separate process, as Firestore is: this process polls the page's file, which would delay the emulator.
async function forkEmulator(): Promise<Emulator> {
  const child = fork(join(ROOT, 'scripts/bench/watch/run-emulator.ts'))
  const [host] = await once(child, 'message')
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  return { host: String(host), stop }
}
