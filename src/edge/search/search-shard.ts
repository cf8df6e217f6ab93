/** The Durable Object of one shard of the search index. In a site of objects it reads them itself. */
import type { DurableObjectState, R2Bucket } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import type {
  BegunShard,
  Comparison,
  IndexedSeller,
  PlacedSeller,
  SearchIndex,
  SeenTags,
  SellerUpdate,
  ShardAnswer,
  ShardState,
  UpdateOutcome,
} from '../../domain/search/search-index.ts'
import { createR2Store } from '../objects/r2-store.ts'
import { readObject } from '../objects/read-object.ts'
import { openShard } from './open-shard.ts'

interface ShardEnvironment {
  readonly PAGES?: R2Bucket
}

export class SearchShard extends DurableObject<ShardEnvironment> implements SearchIndex {
  readonly #shard: SearchIndex

  constructor(ctx: DurableObjectState, environment: ShardEnvironment) {
    super(ctx, environment)
    const store = environment.PAGES === undefined ? null : createR2Store(environment.PAGES)
    this.#shard = openShard(ctx.storage, {
      readData: store === null ? null : (seller) => readObject(seller, store),
      log: (line) => console.error(line),
    })
  }

  see(sellers: readonly PlacedSeller[]): Promise<SeenTags> {
    return this.#shard.see(sellers)
  }

  update(updates: readonly SellerUpdate[]): Promise<readonly UpdateOutcome[]> {
    return this.#shard.update(updates)
  }

  pull(sellers: readonly PlacedSeller[]): Promise<readonly UpdateOutcome[]> {
    return this.#shard.pull(sellers)
  }

  find(words: readonly string[]): Promise<ShardAnswer> {
    return this.#shard.find(words)
  }

  begin(epoch: string): Promise<BegunShard> {
    return this.#shard.begin(epoch)
  }

  listSellers(bucket: number, after: string | null): Promise<readonly IndexedSeller[]> {
    return this.#shard.listSellers(bucket, after)
  }

  noteCompared(comparison: Comparison): Promise<void> {
    return this.#shard.noteCompared(comparison)
  }

  noteUnfed(sellers: number): Promise<void> {
    return this.#shard.noteUnfed(sellers)
  }

  readState(): Promise<ShardState> {
    return this.#shard.readState()
  }
}
