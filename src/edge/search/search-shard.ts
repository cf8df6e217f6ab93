/** The Durable Object of one shard of the index. */
import type { DurableObjectState } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import type { SearchIndex } from '../../domain/search/search-index.ts'
import { openShard } from './open-shard.ts'

type Asked<Name extends keyof SearchIndex> = Parameters<SearchIndex[Name]>
type Answered<Name extends keyof SearchIndex> = ReturnType<SearchIndex[Name]>

// Each call is a method of the class, because only methods can be called remotely.
export class SearchShard extends DurableObject<object> implements SearchIndex {
  readonly #shard: SearchIndex

  constructor(ctx: DurableObjectState, environment: object) {
    super(ctx, environment)
    this.#shard = openShard(ctx.storage, { log: (line) => console.error(line) })
  }

  see(...asked: Asked<'see'>): Answered<'see'> {
    return this.#shard.see(...asked)
  }

  update(...asked: Asked<'update'>): Answered<'update'> {
    return this.#shard.update(...asked)
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

  readState(): Answered<'readState'> {
    return this.#shard.readState()
  }
}
