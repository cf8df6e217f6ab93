/** Firestore as a source: reads given sellers, or everything. It has no log of changes. */
import type { Firestore, QueryDocumentSnapshot } from 'firebase-admin/firestore'
import type { SourceDocument } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { formatPlace } from '../../../domain/documents/firestore-advice.ts'
import { isDocumentId } from '../../../domain/documents/firestore-documents.ts'
import { divide } from '../../../domain/work/batches.ts'
import type { Source, SourceItem } from '../source.ts'
import type { FirestoreOptions } from './firestore-client.ts'
import { explainFirestore, openClient } from './firestore-client.ts'
import { readDocument } from './firestore-values.ts'

/** Sellers per query. Firestore permits 30 values. */
const BATCH = 10

/** Milliseconds without an answer after which a read fails. An emulator answers at once, unless it is not running. */
const PATIENCE = { service: 60_000, emulator: 10_000 }

/**
 * Rejects with a `SourceError` if there are no usable credentials. Only the first read shows whether Firestore accepts
 * them.
 */
export async function openFirestore(options: FirestoreOptions): Promise<Source> {
  const { database, readFailure, close } = await openClient(options)
  const { patience = PATIENCE[options.emulatorHost === null ? 'service' : 'emulator'] } = options
  const limitSilence = <T>(next: Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      reject(new Error(readFailure() ?? `no answer for ${patience / 1000} s`))
      close()
    }, patience)
    return Promise.race([next, promise]).finally(() => clearTimeout(timer))
  }
  async function* read(documents: AsyncGenerator<SourceDocument>): AsyncGenerator<SourceItem> {
    try {
      for (;;) {
        const next = await limitSilence(documents.next())
        if (next.done === true) return
        yield { kind: 'document', document: next.value }
      }
    } catch (error) {
      throw explainFirestore(options, error)
    }
  }
  return {
    label: formatPlace(options),
    // Reads profiles, then products. A document that changes during the read may appear old or new, but at most once.
    readAll: () => ({ sellers: null, cursor: null, items: read(readCollections(database)) }),
    readSellers: (named) => {
      const sellers = [...new Set(named)]
      return { sellers, cursor: null, items: read(readEach(database, sellers)) }
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
  const possible = sellers.filter((seller) => seller.isWellFormed())
  for (const batch of divide(possible, BATCH)) {
    const keys = batch.filter(isDocumentId).map((seller) => database.doc(`users/${seller}`))
    const [profiles, products] = await Promise.all([
      keys.length === 0 ? [] : database.getAll(...keys),
      database.collection('cataloge').where('owner.id', 'in', batch).get(),
    ])
    for (const profile of profiles) if (profile.exists) yield readDocument('users', profile)
    for (const product of products.docs) yield readDocument('cataloge', product)
  }
}
