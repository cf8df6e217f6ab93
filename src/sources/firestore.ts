/** Firestore as a source: reads the sellers named, or everything. It cannot tell what changed. */
import { setTimeout } from 'node:timers/promises'
import type { Firestore, QueryDocumentSnapshot } from 'firebase-admin/firestore'
import type { Collection } from '../domain/document.ts'
import { COLLECTIONS } from '../domain/document.ts'
import { UNAVAILABLE } from './firestore-calls.ts'
import type { FirestoreClient, FirestoreOptions } from './firestore-client.ts'
import { openClient } from './firestore-client.ts'
import { explainFirestore, formatPlace } from './firestore-errors.ts'
import { readItem } from './firestore-values.ts'
import type { Changes, DocumentKey, LookedUp, Source, SourceItem } from './source.ts'
import { SourceError } from './source.ts'

/** Sellers that are read at the same time. */
const SELLERS_AT_ONCE = 8
/** Documents asked for in one call. */
const BATCH = 100
const ATTEMPTS = 3

/** Throws a `SourceError` when the key file is not sound; whether Firestore answers shows at the first read. */
export async function openFirestore(options: FirestoreOptions): Promise<Source> {
  return new FirestoreSource(options, openClient(options))
}

class FirestoreSource implements Source {
  readonly label: string
  readonly readsWhole = false
  readonly #options: FirestoreOptions
  readonly #client: FirestoreClient

  constructor(options: FirestoreOptions, client: FirestoreClient) {
    this.label = formatPlace(options)
    this.#options = options
    this.#client = client
  }

  /** Profiles first. Each collection is read by one query: as it is when the query begins. */
  async *readAll(): AsyncGenerator<SourceItem> {
    for (const collection of COLLECTIONS) yield* this.#explain(readCollection(this.#database, collection))
  }

  /** In the order in which the sellers are named, some read ahead. */
  readSellers(sellers: readonly string[]): AsyncIterable<LookedUp> {
    const read = (seller: string) => readSeller(this.#database, seller)
    return this.#explain(readAhead([...new Set(sellers)], read, SELLERS_AT_ONCE))
  }

  readDocuments(keys: readonly DocumentKey[]): AsyncIterable<LookedUp> {
    const distinct = [...new Map(keys.map((key) => [`${key.collection}/${key.id}`, key])).values()]
    const batches = Array.from({ length: Math.ceil(distinct.length / BATCH) }, (_, index) =>
      distinct.slice(index * BATCH, (index + 1) * BATCH),
    )
    return this.#explain(readAhead(batches, (batch) => readBatch(this.#database, batch), 1))
  }

  readChanges(): Changes {
    return { kind: 'whole', reason: 'Firestore does not tell what changed' }
  }

  readCursor(): null {
    return null
  }

  close(): void {
    this.#client.close()
  }

  get #database(): Firestore {
    return this.#client.database
  }

  async *#explain<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* items
    } catch (error) {
      throw explainFirestore(this.#options, error)
    }
  }
}

// A query that breaks goes on after its last document, as of the same time: the client sees to it. A server that
// begins anew instead would never come to an end on a bad connection, and is known by the first document coming again.
async function* readCollection(database: Firestore, collection: Collection): AsyncGenerator<SourceItem> {
  const documents: AsyncIterable<QueryDocumentSnapshot> = database.collection(collection).stream()
  let first: string | null = null
  for await (const document of documents) {
    if (document.id === first) throw new Error(`UNAVAILABLE: the connection broke while ${collection} was read`)
    first ??= document.id
    yield readItem(collection, document)
  }
}

async function readSeller(database: Firestore, seller: string): Promise<readonly LookedUp[]> {
  const products = database.collection('cataloge').where('owner.id', '==', seller)
  const profile = ...
}
