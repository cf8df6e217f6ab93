/** Finds the seller that a document names, before the document is validated. */
import type { SourceDocument } from '../../domain/documents/document.ts'
import { readField } from '../../domain/documents/document.ts'
import type { SourceItem, SourceRead } from './source.ts'

/** Returns the id of a profile, or the `owner.id` of a product; `null` if `owner.id` is not a string. */
export function findSeller({ collection, id, data }: Omit<SourceDocument, 'updateTime'>): string | null {
  if (collection === 'users') return id
  const owner = readField(readField(data, 'owner'), 'id')
  return typeof owner === 'string' ? owner : null
}

/**
 * Yields the documents of the sellers, and all unreadable items, because their seller is unknown. Also yields later
 * occurrences of all these documents, because the last one counts.
 */
export async function* chooseSellers(
  items: SourceRead['items'],
  sellers: readonly string[],
): AsyncGenerator<SourceItem> {
  const wanted = new Set<string | null>(sellers)
  const chosen = new Set<string>()
  for await (const item of items) {
    const { collection = '', id = '' } = (item.kind === 'document' ? item.document : item.key) ?? {}
    const key = `${collection}/${id}`
    const isWanted = item.kind === 'unreadable' || wanted.has(findSeller(item.document))
    if (isWanted && id !== '') chosen.add(key)
    if (isWanted || chosen.has(key)) yield item
  }
}
