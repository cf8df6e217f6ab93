/** Firestore as a source: reads given sellers, or everything. It has no change log. */
import type { Firestore } from 'firebase-admin/firestore'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import type { FirestorePlace } from '../../../domain/documents/firestore-advice.ts'
import { formatPlace } from '../../../domain/documents/firestore-advice.ts'
import { divide } from '../../../domain/work/batches.ts'
import { dropRepeated } from '../choose-items.ts'
import type { FirestoreOptions } from './firestore-client.ts'
import { openClient } from './firestore-client.ts'
import { explainFirestore } from './firestore-errors.ts'
import { readCollection, queryDocuments, readSeller } from './firestore-reads.ts'
import type { DocumentKey, ReadySource, SourceItem } from '../source.ts'

/** Max sellers read concurrently. */
const SELLERS_AT_ONCE = 8
/** Max documents per call of `queryDocuments`. */
const BATCH = 100

/**
 * Rejects with a `SourceError` if there are no usable credentials. Only the first read shows whether Firestore accepts
 * them.
 */
export async function openFirestore(options: FirestoreOptions): Promise<ReadySource> {
  const { database, close } = await openClient(options)
  return {
    label: formatPlace(options),
    // Reads profiles, then products. A document that changes during the read may appear old or new, but at most once.
    readAll: () => explain(options, readCollections(database)),
    // Yields sellers in the given order, each as of one point in time.
    readSellers: (sellers) => {
      const read = (seller: string) => readSeller(database, seller)
      return explain(options, readAhead([...new Set(sellers)], read, SELLERS_AT_ONCE))
    },
    readDocuments: (keys) => {
      const read = (batch: readonly DocumentKey[]) => queryDocuments(database, batch)
      return explain(options, readAhead(divide(dropRepeated(keys), BATCH), read, 1))
    },
    readChanges: () => ({ kind: 'whole', reason: 'Firestore has no change log' }),
    readCursor: () => null,
    // Checks nothing, because each seller is read at one point in time, and notices report later changes.
    confirm: () => {},
    close,
  }
}

async function* explain<T>(place: FirestorePlace, items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    throw explainFirestore(place, error)
  }
}

async function* readCollections(database: Firestore): AsyncGenerator<SourceItem> {
  for (const collection of COLLECTIONS) yield* readCollection(database, collection)
}

/** Yields the results in the order of `list`, with at most `atOnce` concurrent reads. */
async function* readAhead<T, R>(
  list: Iterable<T>,
  read: (one: T) => Promise<readonly R[]>,
  atOnce: number,
): AsyncGenerator<R> {
  const waiting: Promise<readonly R[]>[] = []
  for (const one of list) {
    const reading = read(one)
    // The read is awaited below. This handler prevents an unhandled rejection if an earlier read fails first.
    reading.catch(() => {})
    waiting.push(reading)
    if (waiting.length === atOnce) yield* (await waiting.shift()) ?? []
  }
  for (const reading of waiting) yield* await reading
}
