/** Documents as every source hands them on, and what is wrong with one. */
import type { BaseIssue, GenericSchema } from 'valibot'
import { safeParse } from 'valibot'

/** Spelling as in the database. Source: docs/design.md, Documents. */
export const COLLECTIONS = ['users', 'cataloge'] as const
export type Collection = (typeof COLLECTIONS)[number]

/** A document before it is trusted. `updateTime` is RFC 3339, `null` when the source does not tell. */
export interface SourceDocument {
  readonly collection: Collection
  readonly id: string
  readonly updateTime: string | null
  readonly data: unknown
}

/** `field` is a dotted path, empty when the whole document is meant. `fatal`: the document is left out. */
export interface Problem {
  readonly collection: Collection
  readonly id: string
  readonly field: string
  readonly reason: string
  readonly fatal: boolean
}

export type Complain = (field: string, reason: string, fatal?: boolean) => void

/** One field by its schema; what does not fit is reported and gives `null`, as does an absent field. */
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

/** The field of a map as data, never as a property that every object inherits. */
export function readField(data: unknown, key: string): unknown {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, key)
    ? (data as Record<string, unknown>)[key]
    : undefined
}

function formatIssue(issue: BaseIssue<unknown>): string {
  return issue.message
}
