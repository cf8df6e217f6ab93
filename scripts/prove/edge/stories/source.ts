/** The documents of a story, and the data of each object after each edit. */
import { createCatalogue } from '../../../../src/domain/catalogue/catalogue.ts'
import type { Product } from '../../../../src/domain/documents/product.ts'
import type { SellerData } from '../../../../src/domain/objects/object-data.ts'
import { createSellerData } from '../../../../src/domain/objects/object-data.ts'
import { NO_PICTURES } from '../../../../src/domain/photos/picture.ts'
import type { StoryEdit, StoryProduct } from '../../story-catalogue.ts'
import { formatStoryTime, StoryCatalogue } from '../../story-catalogue.ts'

/** The home page shows the first seller. The address of the last one must be percent-encoded. */
export const EDGE_SELLERS = ['1', 'ana', 'luz', 'ñandú & hijos'] as const
export const EDGE_PRODUCTS = ['p1', 'p2', 'p3'] as const
/**
 * A seller that exists from the beginning and never changes. Without this seller a removal could empty the site, which
 * the guard refuses.
 */
const CONSTANT = 'zoe'
export const STORY_NAMES: readonly string[] = [...EDGE_SELLERS, CONSTANT]

/** `null`: the seller does not exist. */
export type StoryValue = SellerData | null

interface Telling {
  readonly isSilent?: boolean
  readonly isHalf?: boolean
}

interface Reading {
  /** Number of the edit that led to the value; 0 for the first value. */
  readonly sequence: number
  readonly value: StoryValue
}

export class StorySource {
  readonly documents = new StoryCatalogue('')
  readonly #values = new Map<string, Reading[]>()
  /** The log of changes: for each edit, the objects that its entry names. */
  readonly #log: (readonly string[])[] = []
  /**
   * By object: number of the last edit before a consumer read another seller and so noticed that this object had
   * changed too.
   */
  readonly #found = new Map<string, number>()

  constructor() {
    this.documents.edit({ profile: CONSTANT, name: 'Zoe' })
    for (let index = 0; index < 9; index += 1)
      this.documents.edit({ product: `z${index}`, owner: CONSTANT, price: 1 })
    for (const name of STORY_NAMES) this.#values.set(name, [{ sequence: 0, value: this.#compute(name) }])
  }

  /** Number of edits so far. */
  get sequence(): number {
    return this.#log.length
  }

  /**
   * Edits the documents. Returns the objects that the log names for the edit: none if `isSilent`, so that only a
   * comparison of all objects finds the edit; only the previous owner of a moved product if `isHalf`.
   */
  edit(edit: StoryEdit, { isSilent = false, isHalf = false }: Telling = {}): readonly string[] {
    const owner = 'product' in edit ? this.documents.findOwner(edit.product) : null
    const concerned = this.documents.edit(edit)
    const told = isSilent ? [] : isHalf && owner !== null ? [owner] : concerned
    this.#log.push(told)
    for (const name of concerned)
      this.#values.get(name)?.push({ sequence: this.sequence, value: this.#compute(name) })
    return told
  }

  /**
   * Records that a consumer noticed a product's move to `seller` when it read the previous owner after edit `sequence`.
   */
  find(seller: string, sequence: number): void {
    this.#found.set(seller, Math.max(sequence, this.#found.get(seller) ?? 0))
  }

  read(name: string): StoryValue {
    return this.#values.get(name)?.at(-1)?.value ?? null
  }

  /** Returns the objects that the log names for the edits after number `after`. */
  listChanged(after: number): readonly string[] {
    return [...new Set(this.#log.slice(after).flat())]
  }

  /**
   * Returns the number of the edit up to which changes of the object are known, from the log or from a consumer; 0 for
   * none.
   */
  findNoticed(name: string): number {
    const told = this.#log.findLastIndex((names) => names.includes(name)) + 1
    return Math.max(told, this.#found.get(name) ?? 0)
  }

  /** Returns the value that the object had after edit `sequence`, and all later values. */
  listValues(name: string, sequence: number): readonly StoryValue[] {
    const readings = this.#values.get(name) ?? [{ sequence: 0, value: null }]
    const first = readings.findLastIndex((reading) => reading.sequence <= sequence)
    return readings.slice(first).map(({ value }) => value)
  }

  #compute(name: string): StoryValue {
    const profile = this.documents.findProfile(name)
    const own = this.documents.listProducts(name)
    if (profile === null && own.length === 0) return null
    const names = profile === null ? null : { fName: profile, lName: '', whatsapp: null }
    return createSellerData(createCatalogue(name, names, own.map(createProduct)), {
      pictures: NO_PICTURES,
      previews: {},
      hasProfile: profile !== null,
      updated: own.map(formatStoryTime).toSorted().at(-1) ?? '',
    })
  }
}

function createProduct({ id, name, price, available }: StoryProduct): Product {
  const decant = { price: null, available: false }
  return { id, name, photo: null, price, available, _5ml: decant, _10ml: decant }
}
