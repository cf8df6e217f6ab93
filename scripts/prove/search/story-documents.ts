/** The documents of a story, and a log of changed sellers, which builders read instead of receiving notices. */
import { findSeller } from '../../../src/builder/sources/find-seller.ts'
import type { Source, SourceItem } from '../../../src/builder/sources/source.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { StoryEdit } from '../story-catalogue.ts'
import { StoryCatalogue } from '../story-catalogue.ts'
import { SEARCH_SELLERS } from './happenings.ts'

export class StoryDocuments {
  readonly catalogue = new StoryCatalogue('Pérez')
  readonly #named: string[] = []

  constructor() {
    for (const seller of SEARCH_SELLERS) this.edit({ profile: seller, name: 'Ana' })
  }

  /** Edits the documents, and adds the changed sellers to the log: both sellers if a product moves. */
  edit(edit: StoryEdit): void {
    this.#named.push(...this.catalogue.edit(edit))
  }

  /** Opens the source of a builder. A cursor is a position in the log; changes are the sellers after that position. */
  open(): Source {
    const list = (choose: (document: SourceDocument) => boolean): AsyncGenerator<SourceItem> =>
      yieldDocuments(this.catalogue.listDocuments().filter(choose))
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
