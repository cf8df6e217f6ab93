/** Follows Firestore through its listeners, which tell whose documents changed. */
import { setTimeout as wait } from 'node:timers/promises'
import type { DocumentChange, Firestore, QuerySnapshot } from 'firebase-admin/firestore'
import type { Collection } from '../domain/document.ts'
import { COLLECTIONS } from '../domain/document.ts'
import type { FirestoreOptions } from './firestore-client.ts'
import { openClient } from './firestore-client.ts'
import type { Watcher } from './watcher.ts'

/** A lost listener is opened anew after a while that doubles each time, up to a minute. In milliseconds. */
const FIRST_RETRY = 1_000
const LAST_RETRY = 60_000

/** Settles when both collections are listened to. Each listener keeps its collection in memory. */
export async function followFirestore(options: FirestoreOptions, watcher: Watcher): Promise<void> {
  const client = await openClient(options)
  watcher.signal.addEventListener('abort', () => client.close())
  await Promise.all(COLLECTIONS.map((collection) => listen(client.database, collection, watcher)))
}

/** Settles with the first answer; from then on changes are told, and a lost listener is opened anew. */
async function listen(
  database: Firestore,
  collection: Collection,
  watcher: Watcher,
  retry = FIRST_RETRY,
): Promise<void> {
  let isFirst = true
  await new Promise<void>((resolve) => {
    const stop = database.collection(collection).onSnapshot(
      (snapshot) => {
        // The first answer is everything there is: the rebuild that begins now reads it itself.
        if (!isFirst) watcher.onChange(listSellers(snapshot, collection))
        isFirst = false
        resolve()
      },
      (error) => {
        resolve()
        void listenAgain(database, collection, watcher, { retry, error })
      },
    )
    watcher.signal.addEventListener('abort', stop)
  })
}

async function listenAgain(
  database: Firestore,
  collection: Collection,
  watcher: Watcher,
  { retry, error }: { readonly retry: number; readonly error: Error },
): Promise<void> {
  if (watcher.signal.aborted) return
  watcher.onTrouble(`${collection} is not listened to (${error.message}): again in ${retry / 1000} s`)
  await wait(retry, undefined, { ref: false })
  await listen(database, collection, watcher, Math.min(retry * 2, LAST_RETRY))
  // What changed meanwhile, nobody has told.
  watcher.onChange(null)
}

/** `null` when a change does not say whose document it is. */
function listSellers(snapshot: QuerySnapshot, collection: Collection): readonly string[] | null {
  const sellers = snapshot.docChanges().map((change) => findSeller(change, collection))
  const known = sellers.filter((seller) => seller !== null)
  return known.length === sellers.length ? [...new Set(known)] : null
}

// Of a product that moved this is the new owner; the snapshot knows the old one.
function findSeller({ doc }: DocumentChange, collection: Collection): string | null {
  const owner: unknown = collection === 'users' ? doc.id : doc.get('owner.id')
  return typeof owner === 'string' && owner !== '' ? owner : null
}
