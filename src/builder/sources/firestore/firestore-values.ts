/**
 * Converts Firestore's documents to plain values. A value without a JSON form becomes a map that describes its type.
 */
import type { DocumentSnapshot, Timestamp } from 'firebase-admin/firestore'
import type { Collection, SourceDocument } from '../../../domain/documents/document.ts'
import { FIELDS } from '../../../domain/documents/firestore-documents.ts'

type ReadDocument = Pick<DocumentSnapshot, 'id' | 'updateTime' | 'data' | 'get'>

export function readDocument(collection: Collection, snapshot: ReadDocument): SourceDocument {
  const updateTime = formatTime(snapshot.updateTime)
  return { collection, id: snapshot.id, updateTime, data: readData(snapshot) }
}

function readData(snapshot: ReadDocument): unknown {
  try {
    return convertFields(snapshot.data() ?? {})
  } catch {
    // A value has a type that this version of the client does not support. Each field that the site uses is read
    // separately, so that the others are not lost.
    return Object.fromEntries(FIELDS.map((field) => [field, readField(snapshot, field)]))
  }
}

function readField(snapshot: ReadDocument, field: string): unknown {
  try {
    return convertValue(snapshot.get(field))
  } catch {
    return { type: 'unknown' }
  }
}

function convertFields(fields: object): unknown {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, convertValue(value)]))
}

function convertValue(value: unknown): unknown {
  // Adding 0 turns -0 into 0, as `JSON.stringify` does.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : { type: String(value) }
  if (typeof value === 'bigint') return { type: 'bigint', value: String(value) }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(convertValue)
  const isMap = Object.getPrototypeOf(value) === Object.prototype
  return isMap ? convertFields(value) : { type: value.constructor.name }
}

// Always writes nine decimals of a second, so that times sort as text.
function formatTime(time: Timestamp | undefined): string | null {
  if (time === undefined) return null
  const seconds = new Date(time.seconds * 1000).toISOString().slice(0, 19)
  return `${seconds}.${String(time.nanoseconds).padStart(9, '0')}Z`
}
