/** Reads documents with the Firestore client. Does not translate the client's errors. */
import type { DocumentSnapshot, Firestore, QueryDocumentSnapshot } from 'firebase-admin/firestore'
import type { Collection } from '../../../domain/documents/document.ts'
import { isDocumentId } from '../../../domain/documents/firestore-documents.ts'
import { tryAgain } from '../../../domain/work/try-again.ts'
import { UNAVAILABLE } from './firestore-calls.ts'
import { readDocument } from './firestore-values.ts'
import type { DocumentKey, LookedUp, SourceItem } from '../source.ts'

const ATTEMPTS = 3
const DELAY = 200

/**
 * Reads a collection with one query. After a broken connection, the client continues after the last document that it
 * received, at the same point in time. A server may restart the query instead. Then the first document arrives again,
 * and the read fails, because it might otherwise never end.
 */
export async function* readCollection(
  database: Firestore,
  collection: Collection,
): AsyncGenerator<SourceItem> {
  const stream: unknown = database.collection(collection).stream()
  let first: string | null = null
  for await (const snapshot of stream as AsyncIterable<QueryDocumentSnapshot>) {
    if (snapshot.id === first)
      throw new Error(`UNAVAILABLE: the connection broke while the collection ${collection} was being read`)
    first ??= snapshot.id
    yield { kind: 'document', document: readDocument(collection, snapshot) }
  }
}

/** Returns the profile, then the products, all as of one point in time. */
export function readSeller(database: Firestore, seller: string): Promise<readonly LookedUp[]> {
  return tryAgain(() => readSellerOnce(database, seller), {
    most: ATTEMPTS,
    findPause: (failures) => DELAY * 2 ** failures * Math.random(),
    mayPass,
  })
}

/** Returns the results in the order of `keys`, which should be at most a few hundred. */
export async function queryDocuments(
  database: Firestore,
  keys: readonly DocumentKey[],
): Promise<readonly LookedUp[]> {
  const possible = keys.filter(({ id }) => isDocumentId(id))
  const references = possible.map(({ collection, id }) => database.collection(collection).doc(id))
  const snapshots = references.length === 0 ? [] : await database.getAll(...references)
  const found = new Map(snapshots.map((snapshot) => [snapshot.ref.path, snapshot]))
  return keys.map((key) => toLookedUp(key, found.get(`${key.collection}/${key.id}`)))
}

async function readSellerOnce(database: Firestore, seller: string): Promise<readonly LookedUp[]> {
  const query = database.collection('cataloge').where('owner.id', '==', seller)
  const key: DocumentKey = { collection: 'users', id: seller }
  // Returns only that the profile is missing, because Firestore cannot store text with an unpaired surrogate, and
  // rejects queries for it.
  if (!seller.isWellFormed()) return [toLookedUp(key, undefined)]
  const toProducts = (snapshots: readonly QueryDocumentSnapshot[]): readonly LookedUp[] =>
    snapshots.map((snapshot) => ({ kind: 'document', document: readDocument('cataloge', snapshot) }))
  if (!isDocumentId(seller)) return [toLookedUp(key, undefined), ...toProducts((await query.get()).docs)]
  const [profile, products] = await database.runTransaction(
    // Both reads start together, because otherwise the client would leave a failure of the first read unhandled.
    (transaction) =>
      Promise.all([transaction.get(database.collection('users').doc(seller)), transaction.get(query)]),
    { readOnly: true },
  )
  return [toLookedUp(key, profile), ...toProducts(products.docs)]
}

/** `snapshot` is Firestore's result for `key`; `undefined` if the key was not looked up or not found. */
export function toLookedUp(key: DocumentKey, snapshot: DocumentSnapshot | undefined): LookedUp {
  return snapshot?.exists === true
    ? { kind: 'document', document: readDocument(key.collection, snapshot) }
    : { kind: 'missing', key }
}

function mayPass(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNAVAILABLE
}
