/** The documents of a story's source: profiles and products of a few sellers, in the form of Firestore's documents. */
import type { SourceDocument } from '../../src/domain/documents/document.ts'
import type { SellerRead } from '../../src/edge/intake/seller-source.ts'

export interface StoryProduct {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly price: number
  readonly available: boolean
}

export type StoryEdit =
  /**
   * Writes a product. If `owner` is `null`, deletes the product; if the product belongs to another seller, moves it to
   * `owner`.
   */
  | {
      readonly product: string
      readonly owner: string | null
      readonly price: number
      readonly name?: string
      readonly available?: boolean
    }
  /** Writes a profile. If `name` is `null`, deletes the profile. */
  | { readonly profile: string; readonly name: string | null }
  /** Deletes the seller's profile and products. */
  | { readonly leaves: string }

export class StoryCatalogue {
  readonly #lastName: string
  readonly #profiles = new Map<string, string>()
  readonly #products = new Map<string, StoryProduct>()

  /** Every seller has this last name. */
  constructor(lastName: string) {
    this.#lastName = lastName
  }

  /**
   * Edits the documents. Returns the sellers that the edit concerns; if a product moves, its former owner is the first.
   */
  edit(edit: StoryEdit): readonly string[] {
    if ('leaves' in edit) {
      this.#profiles.delete(edit.leaves)
      for (const { id } of this.listProducts(edit.leaves)) this.#products.delete(id)
      return [edit.leaves]
    }
    if ('profile' in edit) {
      if (edit.name === null) this.#profiles.delete(edit.profile)
      else this.#profiles.set(edit.profile, edit.name)
      return [edit.profile]
    }
    const { product: id, owner, price, name = `perfume ${id}`, available = true } = edit
    const before = this.findOwner(id)
    if (owner === null) this.#products.delete(id)
    else this.#products.set(id, { id, owner, name, price, available })
    return [...new Set([before ?? [], owner ?? []].flat())]
  }

  findOwner(product: string): string | null {
    return this.#products.get(product)?.owner ?? null
  }

  /** Returns the first name in the seller's profile; `null` if there is no profile. */
  findProfile(seller: string): string | null {
    return this.#profiles.get(seller) ?? null
  }

  listProducts(seller: string): readonly StoryProduct[] {
    return [...this.#products.values()].filter(({ owner }) => owner === seller)
  }

  listDocuments(): readonly SourceDocument[] {
    const profiles = [...this.#profiles].map(([id, name]) => this.#createProfile(id, name))
    return [...profiles, ...[...this.#products.values()].map(createProductDocument)]
  }

  /**
   * Returns the same as the Worker's read of a seller. `known`: ids of products that may belong to another seller now;
   * products that do are returned in `elsewhere`.
   */
  readSeller(seller: string, known: readonly string[]): SellerRead {
    const name = this.findProfile(seller)
    const products = this.listProducts(seller).map(createProductDocument)
    const moved = [...this.#products.values()].filter(
      ({ id, owner }) => owner !== seller && known.includes(id),
    )
    return {
      kind: 'read',
      documents: [...(name === null ? [] : [this.#createProfile(seller, name)]), ...products],
      elsewhere: moved.map(createProductDocument),
    }
  }

  #createProfile(id: string, fName: string): SourceDocument {
    return { collection: 'users', id, updateTime: null, data: { fName, lName: this.#lastName } }
  }
}

/**
 * Derives the update time from the price: a product that gets an earlier price again is equal to the earlier document,
 * including its time.
 */
export function formatStoryTime({ price }: StoryProduct): string {
  return new Date(Date.UTC(2026, 0, 1) + price * 1_000).toISOString()
}

function createProductDocument(product: StoryProduct): SourceDocument {
  const { id, owner, name, price, available } = product
  const decant = { price: null, available: false }
  const data = { id, name, photo: '', price, available, owner: { id: owner }, _5ml: decant, _10ml: decant }
  return { collection: 'cataloge', id, updateTime: formatStoryTime(product), data }
}
