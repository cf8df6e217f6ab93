/** The documents of a story, and the changes that sellers make to them. */
import type { Change } from './stories.ts'

export interface StoryDocument {
  readonly collection: 'users' | 'cataloge'
  readonly id: string
  readonly updateTime: string
  readonly data: Readonly<Record<string, unknown>>
}

/** By collection and id, in the order in which a folder lists them. */
export type Documents = ReadonlyMap<string, StoryDocument>

/** A seller who never leaves, because a source without sellers is refused. */
export const STAYING = 'stay'

export const NO_DOCUMENTS: Documents = new Map()

export function put(documents: Documents, ...added: readonly StoryDocument[]): Documents {
  return new Map([...documents, ...added.map((one) => [`${one.collection}/${one.id}`, one] as const)])
}

export function createProfile(seller: string, n: number): StoryDocument {
  const whatsapp = n % 2 === 0 ? null : '8095550100'
  const data = { fName: `Name ${n % 3}`, whatsapp }
  return { collection: 'users', id: seller, updateTime: formatDay(n), data }
}

export const PHOTOS = ['https://photos.example/rose.jpg', 'https://photos.example/lily.jpg'] as const

/** Every seventh `n` gives a document that is not a product. */
function createProduct(id: string, seller: string, n: number): StoryDocument {
  const name = n % 7 === 0 ? 5 : ['Rosa', 'rosa', 'Ñandú'][n % 3]
  const price = [1, 5, null][n % 3]
  const photo = PHOTOS[n % 2]
  const data = { id, name, photo, price, available: n % 2 === 0, owner: { id: seller } }
  return { collection: 'cataloge', id, updateTime: formatDay(n), data }
}

function formatDay(n: number): string {
  return `2026-01-0${(n % 3) + 1}T00:00:00.000Z`
}

/** Returns the documents after a change of the data; the same ones if something else changes. */
export function changeDocuments(documents: Documents, change: Change): Documents {
  if (change.kind === 'product') return put(documents, createProduct(change.id, change.seller, change.n))
  if (change.kind === 'profile') return put(documents, createProfile(change.seller, change.n))
  if (change.kind === 'drop') return without(documents, (_, index) => index === change.n % documents.size)
  if (change.kind === 'leave') return without(documents, (one) => findOwner(one) === change.seller)
  if (change.kind !== 'crowd') return documents
  const others = without(documents, ({ id }) => id.startsWith('crowd'))
  const crowd = Array.from({ length: change.size }, (_, index) =>
    createProduct(`crowd${index}`, `crowd${index}`, change.n + 1),
  )
  return put(others, ...crowd)
}

/** Returns the sellers with a document that differs. */
export function listChangedSellers(before: Documents, after: Documents): ReadonlySet<string> {
  const isSame = (key: string): boolean => JSON.stringify(before.get(key)) === JSON.stringify(after.get(key))
  const keys = new Set([...before.keys(), ...after.keys()])
  const changed = [...keys].filter((key) => !isSame(key)).flatMap((key) => [before.get(key), after.get(key)])
  return new Set(changed.flatMap((one) => (one === undefined ? [] : [findOwner(one)])))
}

function findOwner({ collection, id, data }: StoryDocument): string {
  return collection === 'users' ? id : (data['owner'] as { readonly id: string }).id
}

function without(
  documents: Documents,
  isLeftOut: (document: StoryDocument, index: number) => boolean,
): Documents {
  const isKept = (one: StoryDocument, index: number): boolean => one.id === STAYING || !isLeftOut(one, index)
  return new Map([...documents].filter(([, document], index) => isKept(document, index)))
}
