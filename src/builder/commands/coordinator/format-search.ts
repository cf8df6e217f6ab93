/** Formats the state of the search index. */
import type { IndexState } from '../../../domain/wire/search-calls.ts'
import { formatCount } from '../../format-numbers.ts'

/** `null` for a site without an index. */
export type SearchReading = IndexState | { readonly problem: string } | null

/** Returns lines for the status, none without an index. `formatAge` formats how long ago a time is. */
export function formatSearch(search: SearchReading, formatAge: (time: string) => string): readonly string[] {
  if (search === null) return []
  if ('problem' in search) return [`could not be asked: ${search.problem}`]
  const { shards, sellers, products, compared, repaired, unfed } = search
  const parts = [
    `${formatCount(sellers, 'seller')}, ${formatCount(products, 'product')}${shards > 1 ? ` in ${shards} shards` : ''}`,
    compared === null
      ? 'never compared'
      : `compared ${formatAge(compared)} ago${repaired === 0 ? '' : ` (${formatCount(repaired, 'seller')} put in order)`}`,
    ...(unfed === 0 ? [] : [`${formatCount(unfed, 'seller')} could NOT be updated since`]),
  ]
  return [parts.join(', ')]
}
