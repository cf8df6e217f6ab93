/** The documents of a story, and what each object's data was after each of the edits. */
import { createCatalogue } from '../../../../src/domain/catalogue/catalogue.ts'
import type { Product } from '../../../../src/domain/documents/product.ts'
import type { SellerData, ObjectName } from '../../../../src/domain/objects/object-data.ts'
import { createSellerData } from '../../../../src/domain/objects/object-data.ts'
import { NO_PICTURES } from '../../../../src/domain/photos/picture.ts'
import type { SellerRead } from '../../../../src/edge/intake/seller-source.ts'
import type { OwnProduct } from './story-documents.ts'
import { createStoryDocuments, findUpdated } from './story-documents.ts'

/** The first is shown on the home page; the last has an address that must be encoded. */
export const EDGE_SELLERS = ['1', 'ana', 'luz', 'ñandú & hijos'] as const
export const EDGE_PRODUCTS = ['p1', 'p2', 'p3'] as const
/**
 * Is there from the beginning and never changes, so that no removal takes everything away, which the guard would
 * refuse.
 */
const CONSTANT = 'zoe'
export const NAMES: readonly ObjectName[] = [...EDGE_SELLERS, CONSTANT]

export type EdgeEdit =
  /** Without an owner the product is deleted. Another owner: it moves. */
  | { readonly product: string; readonly owner: string | null; readonly price: number }
  /** Without a name the profile is deleted. */
  | { readonly profile: string; readonly name: string | null }
  /** The seller's profile and products are deleted. */
  | { readonly leaves: string }

/** `null`: the seller does not exist. */
export type Value = SellerData | null

export interface Telling {
  readonly isSilent?: boolean
  readonly isHalf?: boolean
}

interface Reading {
  /** Number of the edit after which it was so. */
  readonly sequence: number
  readonly value: Value
}

export class StorySource {
  readonly #profiles = new Map([[CONSTANT, 'Zoe']])
  readonly #products = new Map(
    Array.from({ length: 9 }, (_, index) => [`z${index}`, { owner: CONSTANT as string, price: 1 }]),
  )
  readonly #values = new Map<ObjectName, Reading[]>(
    NAMES.map((name) => [name, [{ sequence: 0, value: this.#compute(name) }]]),
  )
  /** The objects that each edit concerns, as in the log of changes. */
  readonly #log: (readonly ObjectName[])[] = []
  /** By object: the last edit that a consumer has found by itself. */
  readonly #found = new Map<ObjectName, number>()

  /** Number of edits. */
  get sequence(): number {
    return this.#log.length
  }

  /**
   * A silent edit is in no log: only a comparison of everything finds it. `isHalf`: if a product moves, only its old
   * owner is logged. Returns the logged objects.
   */
  edit(edit: EdgeEdit, { isSilent = false, isHalf = false }: Telling = {}): readonly ObjectName[] {
    const owner = 'product' in edit ? this.findOwner(edit.product) : null
    const concerned = this.#apply(edit)
    const told = isSilent ? [] : isHalf && owner !== null ? [owner] : concerned
    this.#log.push(told)
    for (const name of concerned)
      this.#values.get(name)?.push({ sequence: this.sequence, value: this.#compute(name) })
    return told
  }

  /** The present answer of Firestore. */
  readSeller(seller: string, known: readonly string[]): SellerRead {
    const own = this.#listProducts(seller)
    const elsewhere = known.flatMap((id) => {
      const product = this.#products.get(id)
      return product === undefined || product.owner === seller ? [] : [{ id, ...product }]
    })
    return {
      kind: 'read',
      documents: createStoryDocuments({ seller, profile: this.#profiles.get(seller) ?? null, products: own }),
      elsewhere: createStoryDocuments({ seller, profile: null, products: elsewhere }),
    }
  }

  /** A consumer has seen after this edit that products went to this seller. */
  find(seller: string, sequence: number): void {
    this.#found.set(seller, Math.max(sequence, this.#found.get(seller) ?? 0))
  }

  /** Returns who has the product now. */
  findOwner(product: string): string | null {
    return this.#products.get(product)?.owner ?? null
  }

  read(name: ObjectName): Value {
    return this.#values.get(name)?.at(-1)?.value ?? null
  }

  /** Objects that the log names after this edit. */
  listChanged(after: number): readonly ObjectName[] {
    return [...new Set(this.#log.slice(after).flat())]
  }

  /** The last edit of the object in the log or in a consumer's read; 0 for none. */
  findTold(name: ObjectName): number {
    const told = this.#log.findLastIndex((names) => names.includes(name)) + 1
    return Math.max(told, this.#found.get(name) ?? 0)
  }

  /** Every value of the object after this edit. */
  listValues(name: ObjectName, sequence: number): readonly Value[] {
    const readings = this.#values.get(name) ?? [{ sequence: 0, value: null }]
    const first = readings.findLastIndex((reading) => reading.sequence <= sequence)
    return readings.slice(first).map(({ value }) => value)
  }

  #apply(edit: EdgeEdit): readonly ObjectName[] {
    if ('leaves' in edit) return this.#leave(edit.leaves)
    if ('profile' in edit) {
      if (edit.name === null) this.#profiles.delete(edit.profile)
      else this.#profiles.set(edit.profile, edit.name)
      return [edit.profile]
    }
    const before = this.#products.get(edit.product)?.owner
    if (edit.owner === null) this.#products.delete(edit.product)
    else this.#products.set(edit.product, { owner: edit.owner, price: edit.price })
    return [...new Set([before ?? [], edit.owner ?? []].flat())]
  }

  #leave(seller: string): readonly ObjectName[] {
    this.#profiles.delete(seller)
    for (const [id, { owner }] of this.#products) if (owner === seller) this.#products.delete(id)
    return [seller]
  }

  #compute(name: ObjectName): Value {
    const profile = this.#profiles.get(name)
    const own = this.#listProducts(name)
    if (profile === undefined && own.length === 0) return null
    const names = profile === undefined ? null : { fName: profile, lName: '', whatsapp: null }
    const products = own.map(({ id, price }) => createProduct(id, price))
    return createSellerData(createCatalogue(name, names, products), {
      pictures: NO_PICTURES,
      previews: {},
      hasProfile: profile !== undefined,
      updated: findUpdated(own),
    })
  }

  #listProducts(seller: string): readonly OwnProduct[] {
    return [...this.#products].flatMap(([id, { owner, price }]) =>
      owner === seller ? [{ id, owner, price }] : [],
    )
  }
}

function createProduct(id: string, price: number): Product {
  const decant = { price: null, available: false }
  return { id, name: `perfume ${id}`, photo: null, price, available: true, _5ml: decant, _10ml: decant }
}
