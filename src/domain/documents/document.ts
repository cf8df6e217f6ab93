/** The documents that every source yields, and the problems found in them. */

/** Spelled as in the database. Source: docs/specification.md, Documents. */
export const COLLECTIONS = ['users', 'cataloge'] as const
export type Collection = (typeof COLLECTIONS)[number]

/** An unvalidated document. `formatUpdateTime` validates `updateTime`, which is `null` when the source has none. */
export interface SourceDocument {
  readonly collection: Collection
  readonly id: string
  readonly updateTime: string | null
  readonly data: unknown
}

/** `field` is a dotted path; empty for the whole document. A `fatal` problem excludes the document. */
export interface Problem {
  readonly collection: Collection
  readonly id: string
  readonly field: string
  readonly reason: string
  readonly fatal: boolean
}

export type Complain = (field: string, reason: string, fatal?: boolean) => void

/**
 * Checks the value of a field. The checks are written by hand, because parsing a document with a schema library takes
 * 1.4 times as long.
 */
export interface FieldKind<T> {
  readonly isValid: (value: unknown) => value is T
  /**
   * Describes the fault of an invalid value, and is printed after the field's name. Does not include the value itself,
   * which may have any length and content.
   */
  readonly fault: string
}

export const TEXT: FieldKind<string> = {
  isValid: (value) => typeof value === 'string',
  fault: 'is not a string',
}
/** Returns the value of a field; `null` for an absent value, and for an invalid one, which is reported. */
export function parseField<T>(
  { isValid, fault }: FieldKind<T>,
  value: unknown,
  complain: (reason: string) => void,
): T | null {
  if (value === undefined || value === null) return null
  if (isValid(value)) return value
  complain(fault)
  return null
}

/** Reads an own property of a map, never an inherited one. */
export function readField(data: unknown, key: string): unknown {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, key)
    ? (data as Record<string, unknown>)[key]
    : undefined
}
