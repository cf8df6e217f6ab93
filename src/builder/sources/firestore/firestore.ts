/** Firestore as a source: reads given sellers, or everything. It has no log of changes. */
import type { Firestore, QueryDocumentSnapshot } from 'firebase-admin/firestore'
import type { SourceDocument } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { formatPlace } from '../../../domain/documents/firestore-advice.ts'
import { isDocumentId } from '../../../domain/documents/firestore-documents.ts'
import { divide } from '../../../domain/work/batches.ts'
import type { Source, SourceItem } from '../source.ts'
import type { Calls } from './firestore-calls.ts'
import type { FirestoreOptions } from './firestore-client.ts'
import { openClient } from './firestore-client.ts'
import { explainFirestore } from './firestore-errors.ts'
import { readDocument } from './firestore-values.ts'

/** Sellers per query. Firestore permits 30 values. */
const BATCH = 10

/** Milliseconds without an answer after which a read fails. The client repeats calls that may succeed later. */
const PATIENCE = 60_000
/** An emulator is local and answers at once, unless it is not running. */
const PATIENCE_WITH_EMULATOR = 10_000

/**
 * Rejects with a `SourceError` if there are no usable credentials. Only the first read shows whether Firestore accepts
 * them.
 */
export async function openFirestore(options: FirestoreOptions): Promise<Source> {
  const { database, calls, close } = await openClient(options)
  const { patience = options.emulatorHost === null ? PATIENCE : PATIENCE_WITH_EMULATOR } = options
  const read = (documents: AsyncIterable<SourceDocument>): AsyncIterable<SourceItem> =>
    readItems(limitSilence(documents, patience, calls), options)
  return {
    label: formatPlace(options),
    // Reads profiles, then products. A document that changes during the read may appear old or new, but at most once.
    readAll: () => ({ sellers: null, cursor: null, items: read(readCollections(database)) }),
    readSellers: (sellers) => {
      const unique = [...new Set(sellers)]
      return { sellers: unique, cursor: null, items: read(readEach(database, unique)) }
    },
    readChanges: () => null,
    close,
  }
}

// After a broken connection, Firestore continues after the last document. A server that begins the query anew instead
// might never end it.
async function* readCollections(database: Firestore): AsyncGenerator<SourceDocument> {
  for (const collection of COLLECTIONS) {
    const stream: unknown = database.collection(collection).stream()
    let first: string | null = null
    for await (const snapshot of stream as AsyncIterable<QueryDocumentSnapshot>) {
      if (snapshot.id === first) throw new Error(`UNAVAILABLE: the read of ${collection} was interrupted`)
      first ??= snapshot.id
      yield readDocument(collection, snapshot)
    }
  }
}

// Firestore cannot store text with half of a surrogate pair, and rejects queries for it.
async function* readEach(database: Firestore, sellers: readonly string[]): AsyncGenerator<SourceDocument> {
  for (const batch of divide(
    sellers.filter((seller) => seller.isWellFormed()),
    BATCH,
  )) {
    const keys = batch.filter(isDocumentId).map((seller) => database.doc(`users/${seller}`))
    const [profiles, products] = await Promise.all([
      keys.length === 0 ? [] : database.getAll(...keys),
      database.collection('cataloge').where('owner.id', 'in', batch).get(),
    ])
    for (const profile of profiles) if (profile.exists) yield readDocument('users', profile)
    for (const product of products.docs) yield readDocument('cataloge', product)
  }
}

async function* readItems(
  documents: AsyncIterable<SourceDocument>,
  options: FirestoreOptions,
): AsyncGenerator<SourceItem> {
  try {
    for await (const document of documents) yield { kind: 'document', document }
  } catch (error) {
    throw explainFirestore(options, error)
  }
}

/** Throws if the next document takes longer than `patience` milliseconds. */
async function* limitSilence<T>(items: AsyncIterable<T>, patience: number, calls: Calls): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  for (;;) {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      reject(new Error(calls.findFailure() ?? `DEADLINE_EXCEEDED: no answer for ${patience / 1000} s`))
      calls.end()
    }, patience)
    const next = await Promise.race([iterator.next(), promise]).finally(() => clearTimeout(timer))
    if (next.done === true) return
    yield next.value
  }
}
