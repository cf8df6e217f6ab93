/** The documents of a story, and the sellers that were named as changed, as by notices. */
import { findSeller } from '../../../src/builder/sources/find-seller.ts'
import type { Source, SourceItem } from '../../../src/builder/sources/source.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { SellerRead } from '../../../src/edge/intake/seller-source.ts'
import type { SearchEdit } from './happenings.ts'
import { SEARCH_SELLERS } from './happenings.ts'

export class StoryDocuments {
  readonly #documents = new Map<string, SourceDocument>()
  readonly #named: string[] = []

  constructor() {
    for (const seller of SEARCH_SELLERS) this.edit({ profile: seller, name: 'Ana' })
  }

  /** Both sellers of a product that moves are named. */
  edit(edit: SearchEdit): void {
    const key = 'product' in edit ? `cataloge ${edit.product}` : `users ${edit.profile}`
    const before = this.#documents.get(key)
    if (before !== undefined) this.#named.push(findSeller(before) ?? '')
    this.#documents.delete(key)
    const made = createDocument(edit)
    if (made === null) return
    this.#named.push(findSeller(made) ?? '')
    this.#documents.set(key, made)
  }

  /** A builder's source. Its changes are the sellers that were named since it was read last. */
  open(): Source {
    const list = (choose: (document: SourceDocument) => boolean): AsyncGenerator<SourceItem> =>
      yieldDocuments([...this.#documents.values()].filter(choose))
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

  /** As the Worker reads a seller. */
  async readSeller(seller: string, known: readonly string[]): Promise<SellerRead> {
    const all = [...this.#documents.values()]
    const documents = all.filter((document) => findSeller(document) === seller)
    const elsewhere = all.filter(
      (document) =>
        document.collection === 'cataloge' && !documents.includes(document) && known.includes(document.id),
    )
    return { kind: 'read', documents, elsewhere }
  }
}

async function* yieldDocuments(documents: readonly SourceDocument[]): AsyncGenerator<SourceItem> {
  for (const document of documents) yield { kind: 'document', document }
}

function createDocument(edit: SearchEdit): SourceDocument | null {
  if ('profile' in edit) {
    const { profile: id, name } = edit
    return name === null
      ? null
      : { collection: 'users', id, updateTime: null, data: { fName: name, lName: 'Pérez' } }
  }
  const { product: id, owner, name, price, available } = edit
  if (owner === null) return null
  const data = { id, name, price, available, owner: { id: owner } }
  return { collection: 'cataloge', id, updateTime: null, data }
}
