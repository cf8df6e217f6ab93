/** Firestore's documents as its listeners told of them last: what a change makes worth reading is here already. */
import type { QueryDocumentSnapshot, QuerySnapshot } from 'firebase-admin/firestore'
import type { Collection } from '../domain/document.ts'
import { COLLECTIONS } from '../domain/document.ts'
import { toLookedUp } from './firestore-reads.ts'
import type { LookedUp, Source } from './source.ts'

export interface Mirror {
  /** A listener's state. Answers whose documents it changed, `null` when one does not say whose it is. */
  take(collection: Collection, snapshot: QuerySnapshot): readonly string[] | null
  /** Its listener is lost: until the next one has answered, nothing is known of the collection. */
  lose(collection: Collection): void
  /**
   * The same source, that answers from memory where it can. Profiles and products may then be of different times, some
   * milliseconds apart: whichever is late tells of itself, and its seller is read again.
   */
  cover(source: Source): Source
}

type Known = Map<string, QueryDocumentSnapshot>

export function createMirror(): Mirror {
  const documents: Record<Collection, Known> = { users: new Map(), cataloge: new Map() }
  const owned = new Map<string, Known>()
  const current = new Set<Collection>()

  const drop = (collection: Collection, id: string): string | null => {
    const known = documents[collection].get(id)
    documents[collection].delete(id)
    const seller = known === undefined ? null : findSeller(collection, known)
    if (collection === 'cataloge' && seller !== null) owned.get(seller)?.delete(id)
    if (seller !== null && owned.get(seller)?.size === 0) owned.delete(seller)
    return seller
  }
  const put = (collection: Collection, document: QueryDocumentSnapshot): string | null => {
    const seller = findSeller(collection, document)
    documents[collection].set(document.id, document)
    if (collection === 'users' || seller === null) return seller
    const products = owned.get(seller) ?? new Map()
    owned.set(seller, products.set(document.id, document))
    return seller
  }
  const readSeller = (seller: string): readonly LookedUp[] => [
    toLookedUp({ collection: 'users', id: seller }, documents.users.get(seller)),
    ...[...(owned.get(seller) ?? [])].map(([id, product]) =>
      toLookedUp({ collection: 'cataloge', id }, product),
    ),
  ]
  const isWhole = (): boolean => current.size === COLLECTIONS.length

  return {
    take: (collection, snapshot) => {
      current.add(collection)
      const sellers = new Set<string>()
      let isCertain = true
      for (const { type, doc } of snapshot.docChanges()) {
        const before = drop(collection, doc.id)
        if (before !== null) sellers.add(before)
        if (type === 'removed') continue
        const after = put(collection, doc)
        if (after === null) isCertain = false
        else sellers.add(after)
      }
      return isCertain ? [...sellers] : null
    },
    lose: (collection) => {
      current.delete(collection)
      documents[collection].clear()
      if (collection === 'cataloge') owned.clear()
    },
    cover: (source) => ({
      label: source.label,
      readsWhole: source.readsWhole,
      readAll: () => source.readAll(),
      readSellers: (sellers) =>
        isWhole() ? handOn(sellers.flatMap(readSeller)) : source.readSellers(sellers),
      readDocuments: (keys) =>
        isWhole()
          ? handOn(keys.map((key) => toLookedUp(key, documents[key.collection].get(key.id))))
          : source.readDocuments(keys),
      readChanges: (cursor) => source.readChanges(cursor),
      readCursor: () => source.readCursor(),
      close: () => source.close(),
    }),
  }
}

async function* handOn<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

/** `null` when it does not say: only a read of everything tells then what became of it. */
function findSeller(collection: Collection, document: QueryDocumentSnapshot): string | null {
  const owner: unknown = collection === 'users' ? document.id : document.get('owner.id')
  return typeof owner === 'string' && owner !== '' ? owner : null
}
