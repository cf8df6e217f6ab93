/** Values of wrong types for document fields, and the problems that a parser reports. */
import type { Complain } from '../../../src/domain/documents/document.ts'

export interface Complaint {
  readonly field: string
  readonly reason: string
  readonly fatal: boolean
}

/** A `Complain` that records its calls. */
export function collectComplaints(): {
  readonly complain: Complain
  readonly complaints: readonly Complaint[]
} {
  const complaints: Complaint[] = []
  return { complaints, complain: (field, reason, fatal = false) => complaints.push({ field, reason, fatal }) }
}

/** Neither a string nor absent. */
export const NO_STRINGS: readonly unknown[] = [
  0,
  -1,
  Number.NaN,
  1e308,
  true,
  false,
  [],
  ['a'],
  {},
  { id: 'a' },
  5n,
]

/** Not a map of fields. */
export const NO_MAPS: readonly unknown[] = [
  null,
  undefined,
  'text',
  '',
  5,
  Number.NaN,
  true,
  [],
  [{ name: 'a' }],
]
