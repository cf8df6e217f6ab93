/** The documents of a story, and what each object's data was after each of the edits. */
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { ObjectData, ObjectName } from '../../../src/domain/objects/object-data.ts'
import { createSellerData, HOME_OBJECT } from '../../../src/domain/objects/object-data.ts'
import { HOME_STORES } from '../../../src/domain/pages/home.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'

/** The first is shown on the home page; the last has an address that must be encoded. */
export const SELLERS = ['1', 'ana', 'luz', 'ñandú & hijos'] as const
export const PRODUCTS = ['p1', 'p2', 'p3'] as const
/** Is there from the beginning and never changes, so that no removal takes everything away, which the guard would refuse. */
const CONSTANT = 'zoe'
export const NAMES: readonly ObjectName[] = [HOME_OBJECT, ...SELLERS, CONSTANT]

export type Edit =
  /** Without an owner the product is deleted. Another owner: it moves. */
  | { readonly product: string; readonly owner: string | null; readonly price: number }
  /** Without a name the profile is deleted. */
  | { readonly profile: string; readonly name: string | null }
  /** The seller's profile and products are deleted. */
  | { readonly leaves: string }

/** `null`: the seller does not exist. */
export type Value = ObjectData | null

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
  /** The objects that each edit concerns, as the log of changes tells them. */
  readonly #log: (readonly ObjectName[])[] = []

  /** Number of edits. */
  get sequence(): number {
    return this.#log.length
  }

  /** A silent edit is in no log: only a comparison of everything finds it. */
  edit(edit: Edit, isSilent: boolean): void {
    const concerned = this.#apply(edit)
    this.#log.push(isSilent ? [] : concerned)
    for (const name of concerned)
      this.#values.get(name)?.push({ sequence: this.sequence, value: this.#compute(name) })
  }

  read(name: ObjectName): Value {
    return this.#values.get(name)?.at(-1)?.value ?? null
  }

  /** Objects that the log names after this edit. */
  listChanged(after: number): readonly ObjectName[] {
    return [...new Set(this.#log.slice(after).flat())]
  }

  /** The last edit that concerns the object and that the log tells; 0 for none. */
  findTold(name: ObjectName): number {
    return this.#log.findLastIndex((names) => names.includes(name)) + 1
  }

  /** Every value of the object after this edit. */
  listValues(name: ObjectName, sequence: number): readonly Value[] {
    const readings = this.#values.get(name) ?? [{ sequence: 0, value: null }]
    const first = readings.findLastIndex((reading) => reading.sequence <= sequence)
    return readings.slice(first).map(({ value }) => value)
  }

  #apply(edit: Edit): readonly ObjectName[] {
    if ('leaves' in edit) return this.#leave(edit.leaves)
    if ('profile' in edit) {
      if (edit.name === null) this.#profiles.delete(edit.profile)
      else this.#profiles.set(edit.profile, edit.name)
      return listConcerned([edit.profile])
    }
    const before = this.#products.get(edit.product)?.owner
    if (edit.owner === null) this.#products.delete(edit.product)
    else this.#products.set(edit.product, { owner: edit.owner, price: edit.price })
    return listConcerned([before ?? [], edit.owner ?? []].flat())
  }

  #leave(seller: string): readonly ObjectName[] {
    this.#profiles.delete(seller)
    for (const [id, { owner }] of this.#products) if (owner === seller) this.#products.delete(id)
    return listConcerned([seller])
  }

  #compute(name: ObjectName): Value {
    if (name === HOME_OBJECT) return readHome(HOME_STORES.filter((seller) => this.#compute(seller) !== null))
    const profile = this.#profiles.get(name)
    const own = [...this.#products].filter(([, { owner }]) => owner === name)
    if (profile === undefined && own.length === 0) return null
    const names = profile === undefined ? null : { fName: profile, lName: '', whatsapp: null }
    const products = own.map(([id, { price }]) => createProduct(id, price))
    const newest = Math.max(0, ...own.map(([, { price }]) => price))
    return createSellerData(createCatalogue(name, names, products), {
      pictures: NO_PICTURES,
      previews: {},
      hasProfile: profile !== undefined,
      // An edit that goes back to an older value goes back to its time, too: the data are equal then.
      updated: newest === 0 ? '' : `2026-01-0${newest}T00:00:00.000Z`,
    })
  }
}

function readHome(stores: readonly string[]): Value {
  return { kind: 'home', stores, social: null }
}

function listConcerned(sellers: readonly string[]): readonly ObjectName[] {
  const isShown = sellers.some((seller) => HOME_STORES.includes(seller))
  return [...new Set(sellers), ...(isShown ? [HOME_OBJECT] : [])]
}

function createProduct(id: string, price: number): Product {
  const decant = { price: null, available: false }
  return { id, name: `perfume ${id}`, photo: null, price, available: true, _5ml: decant, _10ml: decant }
}
