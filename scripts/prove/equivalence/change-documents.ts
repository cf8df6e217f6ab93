/** Applies a change to documents, and describes the change in words. Pure. */
import type { Doc, Documents } from '../site/documents.ts'
import { dropDocuments, FIRST_TIME, formatKey, putDocument } from '../site/documents.ts'
import { HOSTILE_IDS, HOSTILE_PRODUCTS, HOSTILE_PROFILES } from '../site/hostile.ts'
import { OWN_PHOTOS } from '../site/proof-photos.ts'
import type { DrawnChange, ProductField, Sequence } from './sequence.ts'

interface Changed {
  readonly documents: Documents
  readonly words: string
}

/** `1` is the seller that the home page links to. */
export const SELLERS = ['1', 'ana', 's-2', 'perfumería', 'a b', '%2F', '__proto__', '🙂']
const PRODUCTS = Array.from({ length: 12 }, (_, index) => `p${index}`)
const NAMES = ['Rosa', 'rosa', 'Ámbar', 'Zarzamora', 'Ñandú', 'Él & Ella <3']
/** Example phone numbers, and values that are not phone numbers. */
const NUMBERS = [
  '809-555-0100',
  8_095_550_100,
  undefined,
  '(829) 555-0101',
  'no number',
  '+34 612 345 678',
  null,
]
const PRICES = [1300, 700, 0, null, 99.5, 1_000_000]
// None of these is fetched: each is a path in the public folder, has a host that PHOTO_HOSTS does not name or that has
// a private address, or is no address at all.
const PHOTOS: readonly (string | null)[] = [
  'https://photos.example/a.jpg',
  ...OWN_PHOTOS,
  'https://localhost/a.jpg',
  'http://photos.example/b.jpg?x=1&y=2',
  '/sin-foto.svg',
  '',
  null,
]
const LARGE = 205

/** Creates the first documents of a story. `hosted`: addresses of photos that can be fetched. */
export function createDocuments(
  { profiles, owners, isLarge }: Pick<Sequence, 'profiles' | 'owners' | 'isLarge'>,
  hosted: readonly string[],
): Documents {
  const many = isLarge ? Array.from({ length: LARGE }, (_, index) => `m${index}`) : []
  const sellers = [...SELLERS.slice(0, profiles), ...many]
  const docs = [
    ...sellers.map((seller, index) => createProfile(seller, index)),
    ...owners.map((owner, index) =>
      createProduct({ id: `p${index}`, owner: pick(sellers, owner), value: index, hosted }),
    ),
  ]
  return new Map(docs.map((doc) => [formatKey(doc), doc]))
}

export function changeDocuments(
  documents: Documents,
  change: DrawnChange,
  hosted: readonly string[],
): Changed {
  const products = [...documents.values()].filter(({ collection }) => collection === 'cataloge')
  const profiles = [...documents.values()].filter(({ collection }) => collection === 'users')
  const put = (doc: Doc, words: string): Changed => ({ documents: putDocument(documents, doc), words })
  const drop = (words: string, isDropped: (doc: Doc) => boolean): Changed => ({
    documents: dropDocuments(documents, isDropped),
    words,
  })
  switch (change.kind) {
    case 'new product': {
      const [id, owner] = [pick(PRODUCTS, change.product), pick(SELLERS, change.owner)]
      return put(
        createProduct({ id, owner, value: change.product, hosted }),
        `product ${id} of ${owner} is written`,
      )
    }
    case 'profile': {
      const doc = createProfile(pick(SELLERS, change.seller), change.value)
      return put(doc, `profile ${doc.id} becomes ${doc.text}`)
    }
    case 'hostile product': {
      const [id, owner] = [pick(PRODUCTS, change.product), pick(SELLERS, change.owner)]
      const text = pick(HOSTILE_PRODUCTS, change.body)(owner)
      return put(createDoc('cataloge', id, text), `product ${id} becomes ${shorten(text)}`)
    }
    case 'hostile profile': {
      const [id, text] = [pick(HOSTILE_IDS, change.id), pick(HOSTILE_PROFILES, change.body)]
      return put(createDoc('users', id, text), `profile ${shorten(id)} becomes ${text}`)
    }
    case 'shuffle':
      return { documents: shuffle(documents, change.seed), words: 'the documents change their order' }
    case 'touch': {
      const doc = pickMaybe([...documents.values()], change.document)
      if (doc === null) return { documents, words: 'there is no document to be written again' }
      const updateTime = new Date(Date.parse(doc.updateTime) + 1000).toISOString()
      return put({ ...doc, updateTime }, `${formatKey(doc)} is written again as it is`)
    }
    case 'delete profile':
    case 'delete seller': {
      const profile = pickMaybe(profiles, change.profile)
      if (profile === null) return { documents, words: 'there is no profile to be deleted' }
      const isAll = change.kind === 'delete seller'
      return drop(
        `profile ${shorten(profile.id)} is deleted${isAll ? ' with all products' : ''}`,
        (doc) => doc === profile || (isAll && readOwner(doc) === profile.id),
      )
    }
    default:
      return changeProduct(documents, pickMaybe(products, change.product), { ...change, hosted })
  }
}

type ProductChange = Extract<DrawnChange, { kind: 'edit product' | 'move product' | 'delete product' }>

function changeProduct(
  documents: Documents,
  doc: Doc | null,
  change: ProductChange & { readonly hosted: readonly string[] },
): Changed {
  if (doc === null) return { documents, words: 'there is no product to be changed' }
  const { id } = doc
  if (change.kind === 'delete product') {
    const left = dropDocuments(documents, (other) => other === doc)
    return { documents: left, words: `product ${id} of ${readOwner(doc)} is deleted` }
  }
  if (change.kind === 'move product') {
    const owner = pick(SELLERS, change.owner)
    const text = JSON.stringify({ ...readData(doc), owner: { id: owner } })
    const words = `product ${id} moves from ${readOwner(doc)} to ${owner}`
    return { documents: putDocument(documents, { ...doc, text }), words }
  }
  const text = JSON.stringify(editData(readData(doc), change))
  const words = `product ${id} of ${readOwner(doc)} gets another ${change.field}: ${shorten(text)}`
  return { documents: putDocument(documents, { ...doc, text }), words }
}

type Data = Readonly<Record<string, unknown>>

function editData(
  data: Data,
  { field, value, hosted }: { field: ProductField; value: number; hosted: readonly string[] },
): Data {
  switch (field) {
    case 'price':
      return { ...data, price: pick(PRICES, value) }
    case 'name':
      return { ...data, name: pick(NAMES, value) }
    case 'photo':
      return { ...data, photo: pick([...PHOTOS, ...hosted], value) }
    case 'available':
      return { ...data, available: value % 2 === 0 }
    case 'decant':
      return { ...data, _5ml: { price: pick(PRICES, value), available: value % 2 === 0 } }
    // No page shows the stock, so this edit must not rewrite any page.
    case 'stock':
      return { ...data, stock: value }
    case 'keys':
      return Object.fromEntries(Object.entries(data).toReversed())
  }
}

interface NewProduct {
  readonly id: string
  readonly owner: string
  readonly value: number
  readonly hosted: readonly string[]
}

function createDoc(collection: Doc['collection'], id: string, text: string): Doc {
  return { collection, id, updateTime: FIRST_TIME, text }
}

function createProfile(id: string, value: number): Doc {
  const text = JSON.stringify({
    fName: pick(NAMES, value),
    lName: value % 3 === 0 ? '' : 'Pérez',
    // Divided, so that two different values may give the same name and different numbers.
    whatsapp: pick(NUMBERS, Math.floor(value / NAMES.length)),
  })
  return createDoc('users', id, text)
}

function createProduct({ id, owner, value, hosted }: NewProduct): Doc {
  const decant = { price: pick(PRICES, value + 1), available: true }
  const data = {
    id,
    name: pick(NAMES, value),
    photo: pick([...hosted, ...PHOTOS], value),
    price: pick(PRICES, value),
    available: value % 3 !== 0,
    owner: { id: owner },
    _5ml: decant,
    _10ml: { ...decant, available: false },
  }
  return createDoc('cataloge', id, JSON.stringify(data))
}

function readData({ text }: Doc): Data {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function readOwner(doc: Doc): string {
  const { owner } = readData(doc) as { owner?: { id?: unknown } | null }
  return typeof owner?.id === 'string' ? owner.id : 'nobody'
}

// Deterministic: the same seed gives the same order.
function shuffle(documents: Documents, seed: number): Documents {
  const weigh = (key: string): number =>
    [...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0) * (seed + 7)) % 1_000_003, seed)
  return new Map([...documents].sort(([a], [b]) => weigh(a) - weigh(b)))
}

export function pick<T>(list: readonly T[], choice: number): T {
  return list[choice % list.length] as T
}

export function pickMaybe<T>(list: readonly T[], choice: number): T | null {
  return list.length === 0 ? null : pick(list, choice)
}

function shorten(text: string): string {
  const safe = text.toWellFormed()
  return safe.length > 110 ? `${safe.slice(0, 100)}… (${safe.length} characters)` : safe
}
