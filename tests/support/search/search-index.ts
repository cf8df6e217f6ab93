/** A search index in memory, with failures to set. */
import { createShard } from '../../../scripts/prove/search/memory-index.ts'
import type { SearchAnswer } from '../../../src/domain/pages/found-products.ts'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { SearchIndex, UpdateOutcome } from '../../../src/domain/search/search-index.ts'
import { createUpdate, MAX_UPDATES, placeSellers } from '../../../src/domain/search/search-index.ts'
import { parseQuery } from '../../../src/domain/search/words.ts'
import { findInShard } from '../../../src/edge/search/find-in-shard.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import { mergeFound } from '../../../src/edge/search/merge-found.ts'
import type { ShardOptions } from '../../../src/edge/search/open-shard.ts'
import { SELLER_MARK } from '../../../src/edge/search/shard-documents.ts'
import type { ShardStorage } from '../../../src/edge/search/shard-tables.ts'
import { createRead } from '../../../src/edge/search/shard-tables.ts'

/** The time that comparisons are noted with. */
export const COMPARED = '2026-03-01T12:00:00.000Z'

function createLimitedShard(options: ShardOptions): SearchIndex {
  const shard = createShard({ now: () => COMPARED, ...options })
  return {
    ...shard,
    update: async (updates) => {
      if (updates.length > MAX_UPDATES) throw new Error('too many')
      return shard.update(updates)
    },
  }
}

/** Returns what a shard with this storage finds. */
export function searchStorage(storage: ShardStorage, query: string): SearchAnswer {
  return mergeFound([findInShard(createRead(storage), parseQuery(query))])
}

export async function seeTag(shard: Pick<SearchIndex, 'see'>, seller: string): Promise<string> {
  const { tags } = await shard.see(await placeSellers([seller]))
  return tags[0] ?? ''
}

/** `seen`: default the tag that the seller has now. */
export async function putSeller(
  shard: Pick<SearchIndex, 'see' | 'update'>,
  seller: string,
  entry: SearchEntry | null,
  seen?: string,
): Promise<UpdateOutcome> {
  const update = await createUpdate(seller, entry, seen ?? (await seeTag(shard, seller)))
  const [outcome = 'failed'] = await shard.update([update])
  return outcome
}

const broken = async (): Promise<never> => {
  throw new Error('eros')
}

/** Returns the number of distinct words of a shard. */
export function countWords({ sql }: ShardStorage): unknown {
  const query = 'SELECT count(*) AS words FROM words WHERE word NOT GLOB ?'
  return (sql.exec(query, `${SELLER_MARK}*`).toArray()[0] as { words: unknown }).words
}

/** A shard that fails each call. */
export const BROKEN_SHARD: SearchIndex = {
  see: broken,
  update: broken,
  find: broken,
  begin: broken,
  listSellers: broken,
  noteCompared: broken,
  readState: broken,
}

interface MemoryIndexOptions extends ShardOptions {
  readonly lines?: string[]
  /** Shards behind the others. */
  readonly last?: readonly SearchIndex[]
}

export function createMemoryIndex(
  count: number,
  { lines = [], last = [], ...options }: MemoryIndexOptions = {},
): JoinedIndex {
  const shards = Array.from({ length: count }, () => createLimitedShard(options))
  return joinShards({ shards: [...shards, ...last], log: (line) => lines.push(line) })
}
