/** The Durable Object of one shard of the search index. */
import type { DurableObjectState } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import type {
  BucketDigest,
  Comparison,
  IndexCount,
  IndexedSeller,
  IndexNotes,
  SearchIndex,
  SellerUpdate,
  ShardAnswer,
  UpdateOutcome,
} from '../../domain/search/search-index.ts'
import type { Shard } from './open-shard.ts'
import { openShard } from './open-shard.ts'

export class SearchShard extends DurableObject<unknown> implements SearchIndex {
  readonly #shard: Shard

  constructor(ctx: DurableObjectState, environment: unknown) {
    super(ctx, environment)
    this.#shard = openShard(ctx.storage, { log: (line) => console.error(line) })
  }

  update(updates: readonly SellerUpdate[]): Promise<readonly UpdateOutcome[]> {
    return this.#shard.update(updates)
  }

  async find(words: readonly string[]): Promise<ShardAnswer> {
    return this.#shard.find(words)
  }

  digestBuckets(): Promise<readonly BucketDigest[]> {
    return this.#shard.digestBuckets()
  }

  async listSellers(bucket: number, after: string | null): Promise<readonly IndexedSeller[]> {
    return this.#shard.listSellers(bucket, after)
  }

  async count(): Promise<IndexCount> {
    return this.#shard.count()
  }

  async noteCompared(comparison: Comparison): Promise<void> {
    this.#shard.noteCompared(comparison, new Date().toISOString())
  }

  async noteUnfed(sellers: number): Promise<void> {
    this.#shard.noteUnfed(sellers)
  }

  async readNotes(): Promise<IndexNotes> {
    return this.#shard.readNotes()
  }

  async clear(since: number): Promise<void> {
    this.#shard.clear(since)
  }
}
