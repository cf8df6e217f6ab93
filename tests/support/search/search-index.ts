/** A search index in memory, with failures to set. */
import type { SearchIndex } from '../../../src/domain/search/search-index.ts'
import { MAX_UPDATES } from '../../../src/domain/search/search-index.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import type { Shard } from '../../../src/edge/search/open-shard.ts'
import { openShard } from '../../../src/edge/search/open-shard.ts'
import { SELLER_MARK } from '../../../src/edge/search/shard-documents.ts'
import type { ShardStorage } from '../../../src/edge/search/shard-tables.ts'
import { createStorage } from '../../../scripts/prove/search/shard-storage.ts'

/** The time that comparisons are noted with. */
export const COMPARED = '2026-03-01T12:00:00.000Z'

export function createMemoryShard(
  shard: Shard = openShard(createStorage(), { createSalt: () => '' }),
): SearchIndex {
  return {
    update: async (updates) => {
      if (updates.length > MAX_UPDATES) throw new Error('too many')
      return shard.update(updates)
    },
    find: async (words) => shard.find(words),
    digestBuckets: shard.digestBuckets,
    listSellers: async (bucket, after) => shard.listSellers(bucket, after),
    count: async () => shard.count(),
    noteCompared: async (comparison) => shard.noteCompared(comparison, COMPARED),
    noteUnfed: async (sellers) => shard.noteUnfed(sellers),
    readNotes: async () => shard.readNotes(),
    clear: async (since) => shard.clear(since),
  }
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
  update: broken,
  find: broken,
  digestBuckets: broken,
  listSellers: broken,
  count: broken,
  noteCompared: broken,
  noteUnfed: broken,
  readNotes: broken,
  clear: broken,
}

export function createMemoryIndex(
  count: number,
  lines: string[] = [],
  last: readonly SearchIndex[] = [],
): JoinedIndex {
  const shards = Array.from({ length: count }, () => createMemoryShard())
  return joinShards({ shards: [...shards, ...last], log: (line) => lines.push(line) })
}
