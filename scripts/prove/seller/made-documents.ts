/** Random documents of hostile sellers, each with its own mark in its texts, and fixed documents of honest sellers. */
import type { Random } from '../../measure/random.ts'
import { createDocuments } from '../equivalence/change-documents.ts'
import type { Doc, Documents } from '../site/documents.ts'
import { FIRST_TIME, formatKey } from '../site/documents.ts'
import { createHostileId, createHostileProduct, createHostileProfile } from '../site/hostile.ts'
import { createMark } from './find-marks.ts'

export interface MadeDocument extends Doc {
  /** Id of the seller for which the document was generated. The document's text may name another owner, or none. */
  readonly seller: string
  /** Whether the document contains its mark of kind `shown`. */
  readonly hasMark: boolean
}

export interface MadeDocuments {
  readonly documents: Documents
  readonly byNumber: ReadonlyMap<number, MadeDocument>
  readonly sellers: ReadonlySet<string>
}

const HONEST = { profiles: 8, owners: Array.from({ length: 24 }, (_, index) => index), isLarge: false }

export function createHonestDocuments(): Documents {
  return createDocuments(HONEST, [])
}

/** Average number of products of a seller. */
const PRODUCTS = 9

/** Creates `count` documents, numbered from `first`. */
export function createMadeDocuments(random: Random, first: number, count: number): MadeDocuments {
  const byNumber = new Map<number, MadeDocument>()
  let seller = ''
  for (let number = first; number < first + count; number += 1) {
    const mark = createMark(number)
    const id = random.chance(0.5) ? mark('id') : createHostileId(random, mark)
    const isProfile = number === first || random.below(PRODUCTS + 1) === 0
    if (isProfile) seller = id
    const text = isProfile ? createHostileProfile(random, mark) : createHostileProduct(random, seller, mark)
    byNumber.set(number, {
      collection: isProfile ? 'users' : 'cataloge',
      id,
      updateTime: FIRST_TIME,
      text,
      seller,
      hasMark: text.includes(mark('shown')),
    })
  }
  const all = [...byNumber.values()]
  return {
    documents: new Map(all.map((doc) => [formatKey(doc), doc])),
    byNumber,
    sellers: new Set(all.map((doc) => doc.seller)),
  }
}
