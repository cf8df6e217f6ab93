/** A source with its documents in memory, for tests of code that reads a source. */
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { chooseSellers, findSeller } from '../../../src/builder/sources/find-seller.ts'
import type { Source, SourceItem, SourceRead } from '../../../src/builder/sources/source.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'

export interface MemorySource extends Source {
  /** Replaces its documents. With a log, logs the sellers of those that differ. */
  hold(documents: readonly SourceDocument[]): void
  /** Makes each later read fail after `count` documents. */
  failAfter(count: number): void
}

interface MemoryOptions {
  /** Whether the source has a log of changes. */
  readonly hasLog?: boolean
}

export function createMemorySource(
  documents: readonly SourceDocument[] = [],
  { hasLog = false }: MemoryOptions = {},
): MemorySource {
  let held = documents
  let limit = Infinity
  const log: string[] = []
  async function* readItems(): AsyncGenerator<SourceItem> {
    let count = 0
    for (const document of held) {
      if (count >= limit) break
      yield { kind: 'document', document }
      count += 1
    }
    if (limit < Infinity)
      throw new SourceError('cannot read the memory (told to fail): tell it to hold something')
  }
  const findCursor = (): string | null => (hasLog ? `row ${log.length}` : null)
  const readSellers = (sellers: readonly string[]): SourceRead => ({
    sellers: [...new Set(sellers)],
    cursor: null,
    items: chooseSellers(readItems(), sellers),
  })
  return {
    label: 'the memory',
    hold: (next) => {
      log.push(...listChanged(held, next))
      held = next
    },
    failAfter: (count) => void (limit = count),
    readAll: () => ({ sellers: null, cursor: findCursor(), items: readItems() }),
    readSellers,
    readChanges: (cursor, named) => {
      const row = Number(/^row (\d+)$/.exec(cursor)?.[1] ?? Infinity)
      if (!hasLog || row > log.length) return null
      return { ...readSellers([...log.slice(row), ...named]), cursor: findCursor() }
    },
    close: () => {},
  }
}

/** Returns the sellers of the documents that only one of the lists has. */
function listChanged(before: readonly SourceDocument[], after: readonly SourceDocument[]): readonly string[] {
  const [old, present] = [before, after].map((list) => new Set(list.map((one) => JSON.stringify(one))))
  return [...before, ...after]
    .filter((one) => old?.has(JSON.stringify(one)) !== present?.has(JSON.stringify(one)))
    .flatMap((document) => findSeller(document) ?? [])
}
