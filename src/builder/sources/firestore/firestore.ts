/** Firestore as a source: reads the sellers named, or everything. It cannot tell what changed. */
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import type { FirestoreClient, FirestoreOptions } from './firestore-client.ts'
import { openClient } from './firestore-client.ts'
import { explainFirestore, formatPlace } from './firestore-errors.ts'
import { readCollection, readDocuments, readSeller } from './firestore-reads.ts'
import type { SourceChanges, DocumentKey, LookedUp, Source, SourceItem } from '../source.ts'

/** Sellers that are read at the same time. */
const SELLERS_AT_ONCE = 8
/** Documents that are asked for in one call. */
const BATCH = 100

/** Throws a `SourceError` when there are no credentials; whether Firestore takes them shows at the first read. */
export async function openFirestore(options: FirestoreOptions): Promise<Source> {
  return new FirestoreSource(options, await openClient(options))
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

  /** Profiles first. What changes meanwhile may be in it or not, but each document stands in it at most once. */
  readAll(): AsyncIterable<SourceItem> {
    return this.#explain(readCollections(this.#client))
  }

  /** In the order in which the sellers are named; each of them as of one time. */
  readSellers(sellers: readonly string[]): AsyncIterable<LookedUp> {
    const read = (seller: string) => readSeller(this.#client.database, seller)
    return this.#explain(readAhead([...new Set(sellers)], read, SELLERS_AT_ONCE))
  }

  readDocuments(keys: readonly DocumentKey[]): AsyncIterable<LookedUp> {
    const distinct = [...new Map(keys.map((key) => [`${key.collection}/${key.id}`, key])).values()]
    const read = (batch: readonly DocumentKey[]) => readDocuments(this.#client.database, batch)
    return this.#explain(readAhead(cutIntoBatches(distinct), read, 1))
  }

  readChanges(): SourceChanges {
    return { kind: 'whole', reason: 'Firestore does not tell what changed' }
  }

  readCursor(): null {
    return null
  }

  close(): void {
    this.#client.close()
  }

  async *#explain<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* items
    } catch (error) {
      throw explainFirestore(this.#options, error)
    }
  }
}

async function* readCollections({ database }: FirestoreClient): AsyncGenerator<SourceItem> {
  for (const collection of COLLECTIONS) yield* readCollection(database, collection)
}

/** Hands on the results in the order of what was asked for, while so many reads are under way. */
async function* readAhead<T, R>(
  list: readonly T[],
  read: (one: T) => Promise<readonly R[]>,
  atOnce: number,
): AsyncGenerator<R> {
  const waiting: Promise<readonly R[]>[] = []
  for (const one of list) {
    const reading = read(one)
    // It is told when its turn comes, unless one before it has failed.
    reading.catch(() => {})
    waiting.push(reading)
    if (waiting.length === atOnce) yield* (await waiting.shift()) ?? []
  }
  for (const reading of waiting) yield* await reading
}

function cutIntoBatches<T>(list: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / BATCH) }, (_, index) =>
    list.slice(index * BATCH, (index + 1) * BATCH),
  )
}
