/** A search index in memory: SQLite databases replace the storage of Durable Objects. */
import { DatabaseSync } from 'node:sqlite'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { SearchIndex, UpdateOutcome } from '../../../src/domain/search/search-index.ts'
import { createUpdate } from '../../../src/domain/search/search-index.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import type { ShardOptions } from '../../../src/edge/search/open-shard.ts'
import { openShard } from '../../../src/edge/search/open-shard.ts'
import type { ShardStorage } from '../../../src/edge/search/shard-tables.ts'
import { runTransaction } from '../../../src/builder/state/sqlite/transactions.ts'
import { openSql } from '../../local/open-sql.ts'

export interface MemoryStorage extends ShardStorage {
  readonly database: DatabaseSync
  /** Number of rows changed so far. */
  countChanges(): number
}

export function createStorage(): MemoryStorage {
  const database = new DatabaseSync(':memory:')
  return {
    database,
    countChanges: () => Number(database.prepare('SELECT total_changes() AS changes').get()?.['changes']),
    sql: openSql(database),
    transactionSync: (work) => runTransaction(database, work),
  }
}

/**
 * Creates a shard. By default, all shards have the same salt, so that all of them sort products of equal price in the
 * same order.
 */
export function createShard(options: ShardOptions = {}): SearchIndex {
  return openShard(createStorage(), { createSalt: () => '', ...options })
}

export function createIndex(count: number, options: ShardOptions = {}): JoinedIndex {
  return joinShards({ shards: Array.from({ length: count }, () => createShard(options)), log: () => {} })
}

/** Replaces the entries of sellers. Reads their tags first, so that no entry is rejected as outdated. */
export async function putEntries(
  index: Pick<JoinedIndex, 'see' | 'update'>,
  entries: readonly (readonly [seller: string, entry: SearchEntry | null])[],
): Promise<readonly UpdateOutcome[]> {
  const { tags } = await index.see(entries.map(([seller]) => seller))
  const updates = entries.map(([seller, entry], at) => createUpdate(seller, entry, tags[at] ?? ''))
  return index.update(await Promise.all(updates))
}
