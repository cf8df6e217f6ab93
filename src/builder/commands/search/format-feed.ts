/** Formats the state of the search index, and what was done to it, for people. */
import { cleanText } from '../../../domain/documents/text.ts'
import type { IndexState } from '../../../domain/wire/search-calls.ts'
import { formatCount } from '../../format-numbers.ts'
import { readSentence } from '../../publish/publish-error.ts'
import type { FeedOutcome } from '../../publish/search/feed-index.ts'
import { isWithoutIndex } from '../../publish/search/search-client.ts'

/**
 * State of the search index; `null` for a site without an index. `problem` is the reason why the state could not be
 * read.
 */
export type SearchReading = Omit<IndexState, 'life'> | { readonly problem: string } | null

/** `formatAge` returns how long ago a time is, such as `5 min`. */
export function formatSearch(search: SearchReading, formatAge: (time: string) => string): string | null {
  if (search === null) return null
  if ('problem' in search) return `could not be asked: ${search.problem}`
  const { shards, sellers, products, compared, repaired, unfed } = search
  const parts = [
    `${formatCount(sellers, 'seller')}, ${formatCount(products, 'product')}${shards > 1 ? ` in ${shards} shards` : ''}`,
    compared === null
      ? 'never compared'
      : `compared ${formatAge(compared)} ago${repaired === 0 ? '' : ` (${formatCount(repaired, 'seller')} repaired)`}`,
    ...(unfed === 0
      ? []
      : [`${formatCount(unfed, 'seller')} could NOT be updated${compared === null ? '' : ' since then'}`]),
  ]
  return parts.join(', ')
}

/** Returns no line for a feed that had nothing to do. */
export function formatFedSellers({ fed, repaired, failed }: FeedOutcome): readonly string[] {
  const parts = [
    ...(fed === 0 ? [] : [`${formatCount(fed, 'seller')} updated`]),
    ...(repaired === null ? [] : [formatRepaired(repaired)]),
    ...formatFailed(failed),
  ]
  return parts.length === 0 ? [] : [`  search    ${parts.join(', ')}`]
}

function formatFailed(failed: number): readonly string[] {
  return failed === 0 ? [] : [`${formatCount(failed, 'seller')} could NOT be updated`]
}

/** Returns no line for a site without a search index. */
export function formatFeedProblem(error: unknown): readonly string[] {
  if (isWithoutIndex(error)) return []
  return [cleanText(`  search    NOT up to date: ${readSentence(error)} The next publish updates it.`)]
}

function formatRepaired(repaired: number): string {
  return repaired === 0
    ? 'compared, no seller repaired'
    : `compared, ${formatCount(repaired, 'seller')} repaired`
}
