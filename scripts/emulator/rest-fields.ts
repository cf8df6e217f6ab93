/** Formats fields of the emulator's documents as Firestore's REST API does. */
import type { FirestoreStateDocument } from '@firestore-emulator/server'

type Field = NonNullable<ReturnType<FirestoreStateDocument['getField']>>
export type RestFields = Readonly<Record<string, Field>>

export function formatFields(fields: RestFields): object {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, formatField(field)]))
}

/** Returns the field at a path such as `owner.id`. Each part of the path after the first is a field of a map. */
export function findField(fields: RestFields, path: string): Field | undefined {
  const [top = '', ...rest] = path.split('.')
  const field = Object.hasOwn(fields, top) ? fields[top] : undefined
  if (rest.length === 0) return field
  return field?.type === 'map_value' ? findField(field.value, rest.join('.')) : undefined
}

function formatField(field: Field): object {
  switch (field.type) {
    case 'null_value':
      return { nullValue: null }
    case 'string_value':
      return { stringValue: field.value }
    case 'boolean_value':
      return { booleanValue: field.value }
    case 'integer_value':
      return { integerValue: String(field.value) }
    case 'double_value':
      return { doubleValue: Number.isFinite(field.value) ? field.value : String(field.value) }
    case 'timestamp_value':
      return { timestampValue: formatTime(new Date(field.value.seconds * 1000), field.value.nanos) }
    case 'bytes_value':
      return { bytesValue: Buffer.from(field.value).toString('base64') }
    case 'reference_value':
      return { referenceValue: field.value }
    case 'geo_point_value':
      return { geoPointValue: field.value }
    case 'array_value':
      return { arrayValue: field.value.length === 0 ? {} : { values: field.value.map(formatField) } }
    case 'map_value':
      return { mapValue: { fields: formatFields(field.value) } }
  }
}

function formatTime(seconds: Date, nanos: number): string {
  return `${seconds.toISOString().slice(0, 19)}.${String(nanos).padStart(9, '0')}Z`
}
