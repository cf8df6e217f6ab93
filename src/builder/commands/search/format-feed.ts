/** Formats what was done to the search index, for people. */
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount } from '../../format-numbers.ts'
import { readSentence } from '../../publish/publish-error.ts'
import type { Compared } from '../../publish/search/compare-index.ts'
import type { FeedOutcome } from '../../publish/search/feed-index.ts'
import { isWithoutIndex } from '../../publish/search/search-client.ts'

/** Nothing for a feed that had nothing to do. */
export function formatFeed({ fed, repaired, failed }: FeedOutcome): readonly string[] {
  const parts = [
    ...(fed === 0 ? [] : [`${formatCount(fed, 'seller')} updated`]),
    ...(repaired === null ? [] : [formatRepaired(repaired)]),
    ...formatFailed(failed),
  ]
  return parts.length === 0 ? [] : [`  search    ${parts.join(', ')}`]
}

export function formatCompared({ repaired, failed }: Omit<Compared, 'shards'>): readonly string[] {
  return [`  search      ${[formatRepaired(repaired), ...formatFailed(failed)].join(', ')}`]
}

function formatFailed(failed: number): readonly string[] {
  return failed === 0 ? [] : [`${formatCount(failed, 'seller')} could NOT be updated`]
}

/** Nothing for a site that has no search index. */
export function formatFeedProblem(error: unknown): readonly string[] {
  if (isWithoutIndex(error)) return []
  return [cleanText(`  search    NOT up to date: ${readSentence(error)} The next publish goes on with it.`)]
}

function formatRepaired(repaired: number): string {
  return repaired === 0
    ? 'compared, nothing differs'
    : `compared, ${formatCount(repaired, 'seller')} put in order`
}
