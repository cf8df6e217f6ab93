/** Fills Firestore with a shop's documents, and runs the trigger's own code for each later write of a product. */
import { join } from 'node:path'
import { deleteApp, initializeApp } from 'firebase-admin/app'
import type { DocumentChange, DocumentData, Firestore } from 'firebase-admin/firestore'
import { getFirestore } from 'firebase-admin/firestore'
import type { WrittenFields } from '../../functions/firestore-trigger/src/find-sellers.ts'
import { findProductSellers } from '../../functions/firestore-trigger/src/find-sellers.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { openFolder } from '../../src/builder/sources/folder/folder.ts'

export interface Shop {
  readonly project: string
  /** Resolves when Firestore has stored the price. */
  setPrice(product: string, price: number): Promise<void>
  setName(product: string, name: string): Promise<void>
  /**
   * Calls `onWrite` with the sellers that a write of a product affects, if there are any. Resolves when the listener
   * has started.
   */
  follow(onWrite: (sellers: readonly string[]) => void): Promise<void>
  close(): Promise<void>
}

export const SAMPLE = join(ROOT, 'src/builder/sources/sample')
/** A product of the sample, and its seller. */
export const DEMO_PRODUCT = '9YxJMS9pdOzfiqQ8iOr6'
export const DEMO_SELLER = '1'

const PROJECT = 'demo-vitrina'
/** Max writes in one batch. */
const BATCH = 500

/** Fills the Firestore at `host` (`host:port`) with the documents of `folder`. */
export async function openShop(host: string, folder: string): Promise<Shop> {
  const app = initializeApp({ projectId: PROJECT }, PROJECT)
  const database = getFirestore(app)
  database.settings({ host, ssl: false, clientOptions: { universeDomain: 'googleapis.com' } })
  await fill(database, folder)
  const products = database.collection('cataloge')
  let stop = (): void => {}
  return {
    project: PROJECT,
    setPrice: async (product, price) => void (await products.doc(product).update({ price })),
    setName: async (product, name) => void (await products.doc(product).update({ name })),
    follow: (onWrite) =>
      new Promise((resolve, reject) => {
        const before = new Map<string, WrittenFields>()
        let isFirst = true
        stop = products.onSnapshot((snapshot) => {
          const sellers = snapshot.docChanges().flatMap((change) => findSellers(change, before))
          if (!isFirst && sellers.length > 0) onWrite([...new Set(sellers)])
          isFirst = false
          resolve()
        }, reject)
      }),
    close: async () => {
      stop()
      await database.terminate()
      await deleteApp(app)
    },
  }
}

/**
 * Returns the sellers that a change affects, as found by the trigger's code. The code gets the document before and
 * after the change, as Eventarc delivers it.
 */
function findSellers({ doc, type }: DocumentChange, known: Map<string, WrittenFields>): readonly string[] {
  const before = known.get(doc.id)
  const after: DocumentData | undefined = type === 'removed' ? undefined : doc.data()
  known.set(doc.id, after)
  return findProductSellers({ before, after })
}

async function fill(database: Firestore, folder: string): Promise<void> {
  const source = openFolder(folder)
  let batch = database.batch()
  let count = 0
  for await (const item of source.readAll()) {
    if (item.kind !== 'document') continue
    const { collection, id, data } = item.document
    batch.set(database.collection(collection).doc(id), data as DocumentData)
    count += 1
    if (count % BATCH > 0) continue
    await batch.commit()
    batch = database.batch()
  }
  await batch.commit()
  source.close()
}
