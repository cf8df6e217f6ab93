/**
 * Converts documents of Firestore's REST API to the same plain values that the builder's client returns. A value
 * without a JSON form becomes an object with only a `type`, which is invalid in every field.
 * Source: https://firebase.google.com/docs/firestore/reference/rest/v1/Value
 */
import type { Collection, SourceDocument } from '../../../domain/documents/document.ts'
import { readField } from '../../../domain/documents/document.ts'
import { FIELDS } from '../../../domain/documents/firestore-documents.ts'
import { isRecord } from '../../../domain/documents/json.ts'

/** Only `FIELDS` are converted. */
export function readRestDocument(document: unknown): SourceDocument {
  const [collection, id] = parseName(readField(document, 'name'))
  const fields = readField(document, 'fields')
  const kept = FIELDS.filter((field) => readField(fields, field) !== undefined)
  const data = Object.fromEntries(kept.map((field) => [field, convertField(readField(fields, field))]))
  return { collection, id, updateTime: formatTime(readField(document, 'updateTime')), data }
}

// The last two parts of the name are the collection and the id, because an id contains no slash.
function parseName(name: unknown): [Collection, string] {
  const [id = '', collection] = typeof name === 'string' ? name.split('/').toReversed() : []
  return [collection === 'users' ? 'users' : 'cataloge', id]
}

class UnknownValue extends Error {}

// One value of an unknown type makes its whole field unreadable, as with the builder's client.
function convertField(value: unknown): unknown {
  try {
    return convertValue(value)
  } catch (error) {
    if (error instanceof UnknownValue) return { type: 'unknown' }
    throw error
  }
}

function convertValue(value: unknown): unknown {
  const [kind = '', content] = isRecord(value) ? (Object.entries(value)[0] ?? []) : []
  switch (kind) {
    case 'nullValue':
      return null
    case 'stringValue':
    case 'booleanValue':
      return content
    case 'integerValue':
    case 'doubleValue':
      return convertNumber(Number(content))
    case 'mapValue':
      return convertMap(readField(content, 'fields'))
    case 'arrayValue':
      return convertList(readField(content, 'values'))
    case 'timestampValue':
      return { type: 'Timestamp' }
    case 'geoPointValue':
      return { type: 'GeoPoint' }
    case 'bytesValue':
      return { type: 'Buffer' }
    case 'referenceValue':
      return convertReference(content)
    default:
      throw new UnknownValue()
  }
}

// `NaN`, `Infinity` and `-Infinity` have no JSON form. `+ 0` turns -0 into 0, as `JSON.stringify` does.
function convertNumber(number: number): unknown {
  return Number.isFinite(number) ? number + 0 : { type: String(number) }
}

function convertList(values: unknown): unknown {
  return Array.isArray(values) ? values.map(convertValue) : []
}

/** Types that are stored as maps with one reserved key, and their names in the builder's client. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['__min__', 'MinKey'],
  ['__max__', 'MaxKey'],
  ['__regex__', 'RegexValue'],
  ['__oid__', 'BsonObjectId'],
  ['__int__', 'Int32Value'],
  ['__decimal128__', 'Decimal128Value'],
  ['__request_timestamp__', 'BsonTimestamp'],
  ['__binary__', 'Bytes'],
])

function convertMap(fields: unknown): unknown {
  const entries = isRecord(fields) ? Object.entries(fields) : []
  if (readField(readField(fields, '__type__'), 'stringValue') === '__vector__') return { type: 'VectorValue' }
  const type = entries.length === 1 ? RESERVED.get(entries[0]?.[0] ?? '') : undefined
  if (type !== undefined) return { type }
  return Object.fromEntries(entries.map(([key, value]) => [key, convertValue(value)]))
}

// A valid name is `projects/{}/databases/{}/documents`, then pairs of a collection and an id.
function convertReference(name: unknown): unknown {
  const parts = typeof name === 'string' ? name.split('/').length : 0
  if (parts < 7 || parts % 2 === 0) throw new UnknownValue()
  return { type: 'DocumentReference' }
}

// Always writes nine decimals of a second, as the builder does, so that times can be compared as text. Returns `null`
// for a text that is not a time.
function formatTime(time: unknown): string | null {
  const [, seconds, digits = ''] =
    (typeof time === 'string' ? /^([\d-]+T[\d:]+)(?:\.(\d{1,9}))?Z$/.exec(time) : null) ?? []
  return seconds === undefined ? null : `${seconds}.${digits.padEnd(9, '0')}Z`
}
