/** Filters the items of a source that can only read everything, and drops repeated keys. */
import { findSeller } from './find-seller.ts'
import type { DocumentKey, Items, SourceItem } from './source.ts'

/**
 * Yields the documents of the sellers, and all unreadable items, because their seller is unknown. Also yields later
 * versions of all these documents, because the last version of a document counts.
 */
export async function* chooseSellers(
  items: Items<SourceItem>,
  sellers: readonly string[],
): AsyncGenerator<SourceItem> {
  const wanted = new Set<string | null>(sellers)
  const chosen = new Set<string>()
  for await (const item of items) {
    const key = item.kind === 'document' ? item.document : item.key
    const isWanted = item.kind === 'unreadable' || wanted.has(findSeller(item.document))
    if (isWanted && key !== null) chosen.add(formatKey(key))
    if (isWanted || (key !== null && chosen.has(formatKey(key)))) yield item
  }
}

export async function* chooseDocuments(
  items: Items<SourceItem>,
  keys: readonly DocumentKey[],
): AsyncGenerator<SourceItem> {
  const wanted = new Set(keys.map(formatKey))
  for await (const item of items) {
    const key = item.kind === 'document' ? item.document : item.key
    if (key !== null && wanted.has(formatKey(key))) yield item
  }
}

export function dropRepeated(keys: readonly DocumentKey[]): readonly DocumentKey[] {
  return [...new Map(keys.map((key) => [formatKey(key), key])).values()]
}

function formatKey({ collection, id }: DocumentKey): string {
  return `${collection}/${id}`
}
