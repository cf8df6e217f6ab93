/** Keeps the documents that Firestore's listeners delivered, so that changed sellers are read from memory. */
import type { QueryDocumentSnapshot, QuerySnapshot } from 'firebase-admin/firestore'
import type { Collection } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { toLookedUp } from './firestore-reads.ts'
import type { DocumentKey, LookedUp, Source } from '../source.ts'

export interface Mirror {
  /** Stores a listener's snapshot. Returns the sellers of the changed documents, or `null` if one has no owner. */
  take(collection: Collection, snapshot: QuerySnapshot): readonly string[] | null
  /** Forgets the collection, whose listener failed, until a new listener delivers its first snapshot. */
  lose(collection: Collection): void
  /**
   * Wraps the source so that it reads sellers and documents from memory while both collections are complete. Profiles
   * and products may differ in time by milliseconds; the later one triggers another read of its seller.
   */
  cover(source: Source): Source
}

export function createMirror(): Mirror {
  const memory = createMemory()
  const current = new Set<Collection>()
  const isWhole = (): boolean => current.size === COLLECTIONS.length
  return {
    take: (collection, snapshot) => {
      current.add(collection)
      const sellers = snapshot.docChanges().flatMap(({ type, doc }): readonly (string | null)[] => {
        const before = memory.drop(collection, doc.id)
        return type === 'removed' ? before : [...before, memory.put(collection, doc)]
      })
      const known = sellers.filter((seller) => seller !== null)
      return known.length === sellers.length ? [...new Set(known)] : null
    },
    lose: (collection) => {
      current.delete(collection)
      memory.clear(collection)
    },
    cover: (source) => ({
      ...source,
      readSellers: (sellers) =>
        isWhole() ? handOn(sellers.flatMap(memory.readSeller)) : source.readSellers(sellers),
      readDocuments: (keys) =>
        isWhole() ? handOn(keys.map(memory.readDocument)) : source.readDocuments(keys),
    }),
  }
}

interface Memory {
  /** Returns the seller of the document, `null` if it has no valid owner. */
  put(collection: Collection, document: QueryDocumentSnapshot): string | null
  /** Returns a list with the seller of the removed document, empty if unknown. */
  drop(collection: Collection, id: string): readonly string[]
  clear(collection: Collection): void
  readSeller(seller: string): readonly LookedUp[]
  readDocument(key: DocumentKey): LookedUp
}

type Known = Map<string, QueryDocumentSnapshot>

function createMemory(): Memory {
  const documents: Record<Collection, Known> = { users: new Map(), cataloge: new Map() }
  const owned = new Map<string, Known>()
  const readDocument = (key: DocumentKey): LookedUp => toLookedUp(key, documents[key.collection].get(key.id))
  return {
    put: (collection, document) => {
      const seller = findSeller(collection, document)
      documents[collection].set(document.id, document)
      if (collection === 'users' || seller === null) return seller
      const products = owned.get(seller) ?? new Map()
      owned.set(seller, products.set(document.id, document))
      return seller
    },
    drop: (collection, id) => {
      const known = documents[collection].get(id)
      documents[collection].delete(id)
      const seller = known === undefined ? null : findSeller(collection, known)
      if (seller === null) return []
      if (collection === 'cataloge') owned.get(seller)?.delete(id)
      if (owned.get(seller)?.size === 0) owned.delete(seller)
      return [seller]
    },
    clear: (collection) => {
      documents[collection].clear()
      if (collection === 'cataloge') owned.clear()
    },
    readSeller: (seller) => [
      readDocument({ collection: 'users', id: seller }),
      ...[...(owned.get(seller)?.keys() ?? [])].map((id) => readDocument({ collection: 'cataloge', id })),
    ],
    readDocument,
  }
}

async function* handOn<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

function findSeller(collection: Collection, document: QueryDocumentSnapshot): string | null {
  const owner: unknown = collection === 'users' ? document.id : document.get('owner.id')
  return typeof owner === 'string' && owner !== '' ? owner : null
}
