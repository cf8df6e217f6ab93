/** Notices, which name changed sellers or request a full read. */
import type { InferOutput } from 'valibot'
import { array, boolean, literal, maxLength, minLength, pipe, strictObject, string, union } from 'valibot'
import { findIdProblem } from '../documents/page-id.ts'
import type { Frozen } from './call.ts'

export const MAX_SELLERS = 1_000

const TIME = pipe(string(), maxLength(40))

export const NOTICE = union([
  strictObject({
    type: literal('catalogue.changed'),
    timestamp: TIME,
    data: strictObject({ sellers: pipe(array(string()), minLength(1), maxLength(MAX_SELLERS)) }),
  }),
  strictObject({
    type: literal('catalogue.rebuild'),
    timestamp: TIME,
    data: strictObject({ full: pipe(boolean(), literal(true)) }),
  }),
])

/** A notice as it is sent. */
export type Notice = Frozen<InferOutput<typeof NOTICE>>

export interface CatalogueNotice {
  readonly id: string
  /** Distinct ids. */
  readonly sellers: readonly string[]
  /** True if the notice requests a full read. */
  readonly isFull: boolean
  /** Number of named sellers that are left out because they cannot have a page; absent for none. */
  readonly ignored?: number
  /**
   * True if the notice is signed only with the secret of notices. Such notices may add only a limited number of new
   * sellers.
   */
  readonly isBounded?: boolean
}

/** Returns the contents of a notice. Leaves out sellers whose id cannot have a page, and counts them in `ignored`. */
export function readNotice({ data }: Notice, id: string): CatalogueNotice {
  if ('full' in data) return { id, sellers: [], isFull: true }
  const named = new Set(data.sellers)
  const sellers = [...named].filter((seller) => findIdProblem(seller) === null)
  const ignored = named.size - sellers.length
  return { id, sellers, isFull: false, ...(ignored === 0 ? {} : { ignored }) }
}
