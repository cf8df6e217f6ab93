/** Which seller a document belongs to, before anybody has looked whether it makes sense. */
import type { SourceDocument } from '../../domain/documents/document.ts'
import { readField } from '../../domain/documents/document.ts'

/** The id of a profile, the `owner.id` of a product; `null` when that is not text. */
export function findSeller({ collection, id, data }: Omit<SourceDocument, 'updateTime'>): string | null {
  if (collection === 'users') return id
  const owner = readField(readField(data, 'owner'), 'id')
  return typeof owner === 'string' ? owner : null
}
