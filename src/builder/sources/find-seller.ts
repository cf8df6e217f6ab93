/** Finds the seller that a document names, before the document is validated. */
import type { SourceDocument } from '../../domain/documents/document.ts'
import { readField } from '../../domain/documents/document.ts'

/** Returns the id of a profile, or the `owner.id` of a product; `null` if `owner.id` is not a string. */
export function findSeller({ collection, id, data }: Omit<SourceDocument, 'updateTime'>): string | null {
  if (collection === 'users') return id
  const owner = readField(readField(data, 'owner'), 'id')
  return typeof owner === 'string' ? owner : null
}
