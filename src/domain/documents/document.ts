/** The documents that every source yields, and the problems found in them. */
import type { BaseIssue, GenericSchema } from 'valibot'
import { safeParse } from 'valibot'

/** Spelled as in the database. Source: docs/design.md, Documents. */
export const COLLECTIONS = ['users', 'cataloge'] as const
export type Collection = (typeof COLLECTIONS)[number]

/** An unvalidated document. `updateTime` is RFC 3339; `null` when the source has none. */
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

/** Parses one field. Returns `null` for an absent field, and for an invalid one, which is reported. */
export function parseField<T>(
  schema: GenericSchema<unknown, T>,
  value: unknown,
  complain: (reason: string) => void,
): T | null {
  if (value === undefined || value === null) return null
  const result = safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  complain(formatIssue(result.issues[0]))
  return null
}

/** Reads an own property of a map, never an inherited one. */
export function readField(data: unknown, key: string): unknown {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, key)
    ? (data as Record<string, unknown>)[key]
    : undefined
}

function formatIssue(issue: BaseIssue<unknown>): string {
  return issue.message
}
