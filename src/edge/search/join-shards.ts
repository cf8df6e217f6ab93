/** The search index of a site: its shards, asked in parallel. */
import type { SearchAnswer } from '../../domain/pages/found-products.ts'
import { mergeAnswers, NOTHING_FOUND } from '../../domain/search/search-answer.ts'
import type { SearchIndex, SellerUpdate, UpdateOutcome } from '../../domain/search/search-index.ts'
import { findShard, MAX_UPDATES } from '../../domain/search/search-index.ts'
import { parseQuery } from '../../domain/search/words.ts'

export interface JoinedIndex {
  /** Accepts any text. A shard that fails is left out; rejects if all fail. */
  search(query: string): Promise<SearchAnswer>
  /** Returns the outcomes in the order of the updates. Rejects if a shard fails; send the updates again. */
  update(updates: readonly SellerUpdate[]): Promise<readonly UpdateOutcome[]>
  /** The shard that tells all about a bucket. */
  openBucket(bucket: number): SearchIndex
}

export interface ShardsOptions {
  readonly shards: readonly SearchIndex[]
  /** Receives a line for a shard that failed. It holds nothing that a visitor typed. */
  readonly log: (line: string) => void
}

/**
 * Returns the name of a shard's object. It differs for each number of shards and for each lane, whose sequences cannot be
 * compared: after a change of either, the new objects are empty and are filled anew.
 */
export function formatShardName(lane: string, shards: number, index: number): string {
  return `${lane}/${shards}/${index}`
}

export function joinShards({ shards, log }: ShardsOptions): JoinedIndex {
  const [first] = shards
  if (first === undefined) throw new Error('a search index needs a shard')
  const openBucket = (bucket: number): SearchIndex => shards[findShard(bucket, shards.length)] ?? first
  return {
    search: (query) => searchShards(shards, parseQuery(query), log),
    update: (updates) => updateShards(updates, openBucket),
    openBucket,
  }
}

async function searchShards(
  shards: readonly SearchIndex[],
  words: readonly string[],
  log: ShardsOptions['log'],
): Promise<SearchAnswer> {
  if (words.length === 0) return NOTHING_FOUND
  const settled = await Promise.allSettled(shards.map((shard) => shard.find(words)))
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.length - answers.length
  if (failed > 0) log(`search: ${failed} of ${settled.length} shards failed`)
  if (answers.length === 0) throw new Error('no shard of the search index answers')
  return mergeAnswers(answers)
}

async function updateShards(
  updates: readonly SellerUpdate[],
  openBucket: (bucket: number) => SearchIndex,
): Promise<readonly UpdateOutcome[]> {
  const groups = [...Map.groupBy(updates, ({ bucket }) => openBucket(bucket))]
  const outcomes = new Map<SellerUpdate, UpdateOutcome>()
  const send = async (shard: SearchIndex, group: readonly SellerUpdate[]): Promise<void> => {
    for (let from = 0; from < group.length; from += MAX_UPDATES) {
      const part = group.slice(from, from + MAX_UPDATES)
      const told = await shard.update(part)
      part.forEach((update, index) => outcomes.set(update, told[index] ?? 'late'))
    }
  }
  await Promise.all(groups.map(([shard, group]) => send(shard, group)))
  return updates.map((update) => outcomes.get(update) ?? 'late')
}
