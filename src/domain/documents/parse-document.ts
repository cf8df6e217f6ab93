/** Parses a source's document into a profile or a product, and reports invalid fields. */
import type { Complain, Problem, SourceDocument } from './document.ts'
import { isRecord } from './json.ts'
import type { Product } from './product.ts'
import { parseProduct } from './product.ts'
import type { Profile } from './seller.ts'
import { parseProfile } from './seller.ts'
import { findIdProblem } from './page-id.ts'

export type Entry =
  | { readonly kind: 'profile'; readonly seller: string; readonly profile: Profile }
  | { readonly kind: 'product'; readonly seller: string; readonly product: Product }

/** Returns `null` when the document cannot be shown, after reporting at least one fatal problem. */
export function parseDocument(document: SourceDocument, report: (problem: Problem) => void): Entry | null {
  const { collection, id, data } = document
  const complain: Complain = (field, reason, fatal = false) =>
    report({ collection, id, field, reason, fatal })
  if (!isRecord(data)) {
    complain('', 'is not a map of fields', true)
    return null
  }
  return collection === 'users' ? parseUser(id, data, complain) : parseOwned(id, data, complain)
}

function parseUser(id: string, data: unknown, complain: Complain): Entry | null {
  const problem = findIdProblem(id)
  if (problem === null) return { kind: 'profile', seller: id, profile: parseProfile(data, complain) }
  complain('', `its id ${problem}`, true)
  return null
}

function parseOwned(id: string, data: unknown, complain: Complain): Entry | null {
  const owned = parseProduct(id, data, complain)
  if (owned === null) return null
  const problem = findIdProblem(id)
  if (problem !== null) complain('', `its id ${problem}, so the product has no page of its own`)
  return { kind: 'product', ...owned }
}
