/** Follows Firestore through its listeners, which deliver the changed documents. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Firestore } from 'firebase-admin/firestore'
import type { Collection } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { hideSecrets } from '../../../domain/documents/firestore-advice.ts'
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { FirestoreOptions } from './firestore-client.ts'
import { openClient } from './firestore-client.ts'
import type { Mirror } from './firestore-mirror.ts'
import { createMirror } from './firestore-mirror.ts'
import type { Source, Watcher } from '../source.ts'

/**
 * Delay before a failed listener is reopened, in milliseconds: `FIRST_RETRY` at first, then doubled after each failure,
 * up to `LAST_RETRY`.
 */
const FIRST_RETRY = 1_000
const LAST_RETRY = 60_000

/** Max products without an owner reported per change. The next rebuild reports all of them. */
const SHOWN = 20
const NO_OWNER =
  'has no owner.id that is a string, so it is in no catalogue: set owner.id to the id of the seller'

/**
 * Resolves once each collection has been delivered or its listener has failed, or when the signal aborts. Returns a
 * function that wraps a source so that it reads the delivered documents from memory.
 */
export async function followFirestore(
  options: FirestoreOptions,
  watcher: Watcher,
  open: typeof openClient = openClient,
): Promise<(source: Source) => Source> {
  const { database, close } = await open(options)
  // The signal may have aborted while the client was being opened.
  if (watcher.signal.aborted) close()
  else watcher.signal.addEventListener('abort', close)
  const mirror = createMirror()
  await Promise.all(COLLECTIONS.map((collection) => listen({ database, collection, mirror, watcher })))
  return mirror.cover
}

interface Listening {
  readonly database: Firestore
  readonly collection: Collection
  readonly mirror: Mirror
  readonly watcher: Watcher
}

/**
 * Resolves to true when the listener delivers its first `QuerySnapshot`, to false when it fails or the signal aborts.
 * Reports later changes, and reopens a failed listener.
 */
async function listen(listening: Listening, retry = FIRST_RETRY): Promise<boolean> {
  const { database, collection, mirror, watcher } = listening
  const { signal } = watcher
  if (signal.aborted) return false
  let isFirst = true
  return new Promise((resolve) => {
    const end = (): void => {
      stop()
      resolve(false)
    }
    const stop = database.collection(collection).onSnapshot(
      (snapshot) => {
        const { sellers, unowned } = mirror.take(collection, snapshot)
        // The first `QuerySnapshot` of a listener has all documents. It is not reported, because the source is read
        // afterwards anyway: by the caller of `followFirestore`, or after the `onChange(null)` of `listenAgain`.
        if (!isFirst) {
          for (const id of unowned.slice(0, SHOWN))
            watcher.onTrouble(cleanText(`${collection}/${formatId(id)} ${NO_OWNER}`))
          if (sellers.length > 0) watcher.onChange(sellers)
        }
        isFirst = false
        resolve(true)
      },
      (error) => {
        signal.removeEventListener('abort', end)
        mirror.lose(collection)
        resolve(false)
        void listenAgain(listening, isFirst ? retry : FIRST_RETRY, error)
      },
    )
    signal.addEventListener('abort', end)
  })
}

async function listenAgain(listening: Listening, retry: number, error: Error): Promise<void> {
  const { collection, watcher } = listening
  if (watcher.signal.aborted) return
  watcher.onTrouble(
    `changes of the collection ${collection} are not received (${hideSecrets(error.message)}): trying again in ${retry / 1000} s`,
  )
  await wait(retry, undefined, { ref: false })
  // Changes made while no listener was open were not reported, so the source has to be read.
  if (await listen(listening, Math.min(retry * 2, LAST_RETRY))) watcher.onChange(null)
}
