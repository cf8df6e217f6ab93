/** The Durable Object of one shard of the index. In lane `objects`, it reads the sellers' objects from R2 itself. */
import type { DurableObjectState, R2Bucket } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import type { SearchIndex } from '../../domain/search/search-index.ts'
import { createR2Store } from '../objects/r2-store.ts'
import { readObject } from '../objects/read-object.ts'
import { openShard } from './open-shard.ts'

interface ShardEnvironment {
  readonly PAGES?: R2Bucket
}

type Asked<Name extends keyof SearchIndex> = Parameters<SearchIndex[Name]>
type Answered<Name extends keyof SearchIndex> = ReturnType<SearchIndex[Name]>

// Each call is a method of the class, because only methods can be called remotely.
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

  see(...asked: Asked<'see'>): Answered<'see'> {
    return this.#shard.see(...asked)
  }

  update(...asked: Asked<'update'>): Answered<'update'> {
    return this.#shard.update(...asked)
  }

  pull(...asked: Asked<'pull'>): Answered<'pull'> {
    return this.#shard.pull(...asked)
  }

  find(...asked: Asked<'find'>): Answered<'find'> {
    return this.#shard.find(...asked)
  }

  begin(...asked: Asked<'begin'>): Answered<'begin'> {
    return this.#shard.begin(...asked)
  }

  listSellers(...asked: Asked<'listSellers'>): Answered<'listSellers'> {
    return this.#shard.listSellers(...asked)
  }

  noteCompared(...asked: Asked<'noteCompared'>): Answered<'noteCompared'> {
    return this.#shard.noteCompared(...asked)
  }

  noteUnfed(...asked: Asked<'noteUnfed'>): Answered<'noteUnfed'> {
    return this.#shard.noteUnfed(...asked)
  }

  readState(): Answered<'readState'> {
    return this.#shard.readState()
  }
}
