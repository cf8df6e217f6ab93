/** Shared by all readers of Firestore: the fields to read, and the ids that can be looked up. */
import { DOCUMENT_FIELDS } from './document-fields.ts'

/** The fields that are read from documents of either collection. */
export const FIELDS: readonly string[] = Object.values(DOCUMENT_FIELDS).flatMap((fields) =>
  Object.keys(fields),
)

/** In bytes. Source: https://firebase.google.com/docs/firestore/quotas */
const MAX_ID = 1_500
const RESERVED = /^(\.{1,2}|__(?!id\d+__$).*__)$/s

/** Returns whether Firestore accepts a lookup with this id. */
export function isDocumentId(id: string): boolean {
  return (
    id !== '' &&
    id.isWellFormed() &&
    !id.includes('/') &&
    !RESERVED.test(id) &&
    new TextEncoder().encode(id).length <= MAX_ID
  )
}
