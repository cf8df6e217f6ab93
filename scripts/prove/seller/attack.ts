/** Edits of documents by a hostile seller. Pure. */
import type { Random } from '../../measure/random.ts'
import { createRandom } from '../../measure/random.ts'
import type { Doc, Documents, SourceKind } from '../site/documents.ts'
import { dropDocuments, FIRST_TIME, formatKey, putDocument, readShown } from '../site/documents.ts'
import { pick, SELLERS } from '../equivalence/change-documents.ts'
import { createHostileId, createHostileProduct, createHostileProfile } from '../site/hostile.ts'
import { createMark } from './find-marks.ts'
import type { Attack, Crowd } from './stories.ts'

/** Ids that a file system, an address or JavaScript may confuse with the ids of honest sellers. */
const IDS = [
  'Ana',
  'ANA',
  'ana.',
  'perfumeria',
  'a%20b',
  'a+b',
  '%2f',
  '%252F',
  'constructor',
  '__proto',
  '🙂🙂',
  '11',
]
/** Ids that may be confused with the ids of honest sellers' products. */
const TWINS = ['P0', 'p0.', 'p%30', 'p1 ', 'P2', 'p３', 'p+4'] as const

export function findId(choice: number): string {
  return pick(IDS, choice)
}

/** Returns the documents that pages of sellers other than `her` show. */
export function withoutSeller(documents: Documents, her: string, kind: SourceKind): Documents {
  return dropDocuments(documents, (doc) => {
    const shown = readShown(doc, kind)
    return shown === null || shown.seller === her
  })
}

interface AttackedWorld {
  readonly her: string
  readonly kind: SourceKind
}

export function attack(documents: Documents, how: Attack, world: AttackedWorld): Documents {
  switch (how.kind) {
    case 'product':
      return putDocument(documents, createProduct(how.seed, world.her))
    case 'profile': {
      const text = createHostileProfile(createRandom(how.seed), createMark(how.seed))
      return putDocument(documents, { ...EMPTY, collection: 'users', id: world.her, text })
    }
    case 'crowd':
      return new Map([...documents, ...createCrowd(how, world.her)])
    case 'delete': {
      const kept = new Set(listProducts(documents, world).slice(0, how.left))
      return dropDocuments(documents, (doc) => isHers(doc, world) && !kept.has(doc))
    }
    case 'unprice': {
      const spoilt = listProducts(documents, world).slice(how.left)
      return new Map([...documents, ...spoilt.map((doc) => [formatKey(doc), unprice(doc)] as const)])
    }
    case 'take':
    case 'give':
      return move(documents, how, world)
  }
}

const EMPTY = { updateTime: FIRST_TIME } as const

function isHers(doc: Doc, { her, kind }: AttackedWorld): boolean {
  return doc.collection === 'cataloge' && readShown(doc, kind)?.seller === her
}

function listProducts(documents: Documents, world: AttackedWorld): readonly Doc[] {
  return [...documents.values()].filter((doc) => isHers(doc, world))
}

function createProduct(seed: number, her: string): Doc {
  const random = createRandom(seed)
  const mark = createMark(seed)
  const id = random.chance(0.5) ? createHostileId(random, mark) : random.pick(TWINS)
  return { ...EMPTY, collection: 'cataloge', id, text: createHostileProduct(random, her, mark) }
}

type Texts = (random: Random, index: number) => Readonly<Record<string, unknown>>

const CROWD: Readonly<Record<Crowd, Texts>> = {
  plain: (_, index) => ({ name: `Frasco ${index}` }),
  // Makes the search index large: it has a row for each word, and more rows for the parts of a word.
  words: (random) => ({ name: Array.from({ length: 30 }, () => random.id(12)).join(' ') }),
  free: (random) => ({
    name: random.pick(['Rosa', 'Ámbar', 'Zarzamora', 'Ñandú']),
    price: 0,
    available: true,
  }),
  copies: (random) => ({ name: random.pick(['Rosa', 'Ámbar', 'Él & Ella <3']), price: 1, available: true }),
  addresses: (_, index) => ({
    name: `Foto ${index}`,
    photo: `https://a.example/${index}${'香'.repeat(200)}`,
  }),
  marks: (_, index) => ({
    name: `<!--apart:${index}-->`,
    photo: `https://a.example/<!--apart:${index}-->,a,`,
  }),
}

function createCrowd(
  { crowd, count, seed }: Extract<Attack, { kind: 'crowd' }>,
  her: string,
): readonly (readonly [string, Doc])[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const data = {
      price: 10 + index,
      available: index % 2 === 0,
      ...CROWD[crowd](random, index),
      owner: { id: her },
    }
    const doc = { ...EMPTY, collection: 'cataloge', id: `m${index}`, text: JSON.stringify(data) } as const
    return [formatKey(doc), doc]
  })
}

function unprice(doc: Doc): Doc {
  return { ...doc, text: JSON.stringify({ ...readData(doc), price: 'NaN' }) }
}

function move(
  documents: Documents,
  { kind, product, owner }: Extract<Attack, { kind: 'take' | 'give' }>,
  world: AttackedWorld,
): Documents {
  const hers = listProducts(documents, world)
  const isHonest = (doc: Doc): boolean =>
    doc.collection === 'cataloge' && !hers.includes(doc) && readShown(doc, world.kind) !== null
  const all = kind === 'give' ? hers : [...documents.values()].filter(isHonest)
  if (all.length < MIN_LEFT) return documents
  const doc = pick(all, product)
  const id = kind === 'give' ? pick(SELLERS, owner) : world.her
  return putDocument(documents, { ...doc, text: JSON.stringify({ ...readData(doc), owner: { id } }) })
}

/**
 * A product moves only if there are at least this many products to choose from: the guard may refuse a change that
 * removes the last products of all honest sellers or of the hostile seller.
 */
const MIN_LEFT = 8

function readData({ text }: Doc): Readonly<Record<string, unknown>> {
  return JSON.parse(text) as Readonly<Record<string, unknown>>
}
