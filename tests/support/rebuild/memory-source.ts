/** A source with its documents in memory, for tests of code that reads a source. */
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { findSeller } from '../../../src/builder/sources/find-seller.ts'
import type { SourceChanges, DocumentKey, Source, SourceItem } from '../../../src/builder/sources/source.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'

export interface MemorySource extends Source {
  /** Replaces its documents. */
  hold(documents: readonly SourceDocument[]): void
  /** Makes each later read fail after `count` documents. */
  failAfter(count: number): void
}

export function createMemorySource(documents: readonly SourceDocument[] = []): MemorySource {
  let held = documents
  let limit = Infinity
  async function* read(choose: (document: SourceDocument) => boolean): AsyncGenerator<SourceItem> {
    let count = 0
    for (const document of held.filter(choose)) {
      if (count >= limit) break
      yield { kind: 'document', document }
      count += 1
    }
    if (limit < Infinity)
      throw new SourceError('cannot read the memory (told to fail): tell it to hold something')
  }
  return {
    label: 'the memory',
    hold: (next) => void (held = next),
    failAfter: (count) => void (limit = count),
    readAll: () => read(() => true),
    readSellers: (sellers) =>
      read((document) => {
        const seller = findSeller(document)
        return seller !== null && sellers.includes(seller)
      }),
    readDocuments: (keys) => read((document) => keys.some((key) => isSame(key, document))),
    readChanges: (): SourceChanges => ({ kind: 'whole', reason: 'the memory has no change log' }),
    readCursor: () => null,
    confirm: () => {},
    close: () => {},
  }
}

function isSame(key: DocumentKey, { collection, id }: SourceDocument): boolean {
  return key.collection === collection && key.id === id
}
