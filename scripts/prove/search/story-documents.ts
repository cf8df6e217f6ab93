/** The documents of a story, and a log of changed sellers, which builders read instead of receiving notices. */
import { findSeller } from '../../../src/builder/sources/find-seller.ts'
import type { Source, SourceItem } from '../../../src/builder/sources/source.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { StoryEdit } from './happenings.ts'
import { SEARCH_SELLERS } from './happenings.ts'

export class StoryDocuments {
  readonly #profiles = new Map<string, SourceDocument>()
  readonly #products = new Map<string, SourceDocument>()
  readonly #named: string[] = []

  constructor() {
    for (const seller of SEARCH_SELLERS) this.edit({ profile: seller, name: 'Ana' })
  }

  /** Edits the documents, and adds the changed sellers to the log: both sellers if a product moves. */
  edit(edit: StoryEdit): void {
    if ('profile' in edit) {
      if (edit.name === null) this.#profiles.delete(edit.profile)
      else this.#profiles.set(edit.profile, createProfile(edit.profile, edit.name))
      this.#named.push(edit.profile)
      return
    }
    const before = this.#products.get(edit.product)
    const after = edit.owner === null ? undefined : createProduct(edit.product, edit.owner, edit)
    if (after === undefined) this.#products.delete(edit.product)
    else this.#products.set(edit.product, after)
    for (const document of [before, after]) {
      const seller = document === undefined ? null : findSeller(document)
      if (seller !== null) this.#named.push(seller)
    }
  }

  /** Opens the source of a builder. A cursor is a position in the log; changes are the sellers after that position. */
  open(): Source {
    const list = (choose: (document: SourceDocument) => boolean): AsyncGenerator<SourceItem> =>
      yieldDocuments([...this.#profiles.values(), ...this.#products.values()].filter(choose))
    return {
      label: 'the story',
      readsWhole: false,
      readAll: () => list(() => true),
      readSellers: (sellers) => list((document) => sellers.includes(findSeller(document) ?? '')),
      readDocuments: (keys) =>
        list(({ collection, id }) => keys.some((key) => key.collection === collection && key.id === id)),
      readChanges: (cursor) =>
        cursor === null
          ? { kind: 'whole', reason: 'the first read' }
          : {
              kind: 'sellers',
              sellers: [...new Set(this.#named.slice(Number(cursor)))],
              documents: [],
              isExact: false,
            },
      readCursor: () => String(this.#named.length),
      confirm: () => {},
      close: () => {},
    }
  }
}

async function* yieldDocuments(documents: readonly SourceDocument[]): AsyncGenerator<SourceItem> {
  for (const document of documents) yield { kind: 'document', document }
}

function createProfile(id: string, fName: string): SourceDocument {
  return { collection: 'users', id, updateTime: null, data: { fName, lName: 'Pérez' } }
}

/**
 * Derives the update time from the price: a product that gets an earlier price again is equal to the earlier document,
 * including its time.
 */
function createProduct(
  id: string,
  owner: string,
  { name, price, available }: Extract<StoryEdit, { product: string }>,
): SourceDocument {
  const decant = { price: null, available: false }
  const data = { id, name, photo: '', price, available, owner: { id: owner }, _5ml: decant, _10ml: decant }
  const updateTime = new Date(Date.UTC(2026, 0, 1) + price * 1_000).toISOString()
  return { collection: 'cataloge', id, updateTime, data }
}
