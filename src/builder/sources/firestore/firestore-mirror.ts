/** Keeps the documents that Firestore's listeners delivered, so that changed sellers are read from memory. */
import type { QueryDocumentSnapshot, QuerySnapshot } from 'firebase-admin/firestore'
import type { Collection } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { toLookedUp } from './firestore-reads.ts'
import type { DocumentKey, LookedUp, Source } from '../source.ts'

export interface Mirror {
  /** Applies the changes of a listener's `QuerySnapshot` to the stored documents. */
  take(collection: Collection, snapshot: QuerySnapshot): MirrorChange
  /**
   * Forgets the documents of the collection after its listener failed. The source is then read directly, until a new
   * listener has delivered the whole collection.
   */
  lose(collection: Collection): void
  /**
   * Wraps the source so that it reads sellers and documents from memory while both collections are complete. The
   * listeners may deliver a seller's profile and products some milliseconds apart; whichever arrives later triggers
   * another read of the seller.
   */
  cover(source: Source): Source
}

interface MirrorChange {
  /** The old and the new sellers of the changed documents. */
  readonly sellers: readonly string[]
  /**
   * Ids of changed products without an owner, which no page shows. The next `readSellers` from memory also returns
   * these products, so that they are reported.
   */
  readonly unowned: readonly string[]
}

export function createMirror(): Mirror {
  const memory = createMemory()
  const current = new Set<Collection>()
  const unowned = new Set<string>()
  const readUnowned = (): readonly LookedUp[] => {
    const items = [...unowned].map((id) => memory.readDocument({ collection: 'cataloge', id }))
    unowned.clear()
    return items
  }
  const isWhole = (): boolean => current.size === COLLECTIONS.length
  return {
    take: (collection, snapshot) => {
      current.add(collection)
      const sellers = new Set<string>()
      const changed = new Set<string>()
      for (const { type, doc } of snapshot.docChanges()) {
        for (const seller of memory.drop(collection, doc.id)) sellers.add(seller)
        const seller = type === 'removed' ? '' : memory.put(collection, doc)
        if (seller === null) changed.add(doc.id)
        else if (seller !== '') sellers.add(seller)
        if (collection === 'cataloge' && seller !== null) unowned.delete(doc.id)
      }
      for (const id of changed) unowned.add(id)
      return { sellers: [...sellers], unowned: [...changed] }
    },
    lose: (collection) => {
      current.delete(collection)
      if (collection === 'cataloge') unowned.clear()
      memory.clear(collection)
    },
    cover: (source) => ({
      ...source,
      readSellers: (sellers) =>
        isWhole()
          ? handOn([...sellers.flatMap(memory.readSeller), ...readUnowned()])
          : source.readSellers(sellers),
      readDocuments: (keys) =>
        isWhole() ? handOn(keys.map(memory.readDocument)) : source.readDocuments(keys),
    }),
  }
}

interface Memory {
  /** Returns the seller of the document, `null` if it has no valid owner. */
  put(collection: Collection, document: QueryDocumentSnapshot): string | null
  /** Returns a list with the seller of the removed document, empty if the document or its owner is unknown. */
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
