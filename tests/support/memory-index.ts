/** A shard of the search index in memory, and an index of the sample. */
import { createSellerData } from '../../src/domain/objects/object-data.ts'
import { NO_PICTURES } from '../../src/domain/photos/picture.ts'
import { createSearchEntry } from '../../src/domain/search/search-entry.ts'
import type { SearchIndex } from '../../src/domain/search/search-index.ts'
import { createUpdate, MAX_UPDATES } from '../../src/domain/search/search-index.ts'
import type { JoinedIndex } from '../../src/edge/search/join-shards.ts'
import { joinShards } from '../../src/edge/search/join-shards.ts'
import type { Shard } from '../../src/edge/search/open-shard.ts'
import { openShard } from '../../src/edge/search/open-shard.ts'
import { CATALOGUES } from '../../scripts/audit/sample-catalogues.ts'
import { createStorage } from './search-storage.ts'

export function createMemoryIndex(shard: Shard = openShard(createStorage())): SearchIndex {
  return {
    update: async (updates) => {
      if (updates.length > MAX_UPDATES) throw new Error('too many')
      return updates.map(shard.replace)
    },
    find: async (words) => shard.find(words),
    digestBuckets: shard.digestBuckets,
    listSellers: async (bucket, after) => shard.listSellers(bucket, after),
    count: async () => shard.count(),
    clear: async () => shard.clear(),
  }
}

export async function createSampleIndex(): Promise<JoinedIndex> {
  const index = joinShards({ shards: [createMemoryIndex()], log: () => {} })
  const parts = { pictures: NO_PICTURES, previews: {}, hasProfile: true, updated: '' }
  const updates = CATALOGUES.map((catalogue) =>
    createUpdate(catalogue.seller, createSearchEntry(createSellerData(catalogue, parts)), { sequence: 1 }),
  )
  await index.update(await Promise.all(updates))
  return index
}
