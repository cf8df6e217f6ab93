/** The calls about the search index, over the coordinator's signed client. */
import { gzipSync } from 'node:zlib'
import { array, boolean, nullable, number, object, picklist, string } from 'valibot'
import type { GenericSchema } from 'valibot'
import type { Comparison } from '../../../domain/search/search-index.ts'
import { UPDATE_OUTCOMES } from '../../../domain/search/search-index.ts'
import type {
  BegunAnswer,
  ClearCall,
  DigestsAnswer,
  IndexState,
  RefreshCall,
  SearchUpdateAnswer,
  SellersAnswer,
  SellersCall,
  UpdateCall,
} from '../../../domain/wire/search-calls.ts'
import type { CoordinatorClient } from '../coordinator-client.ts'
import { CallError } from '../coordinator-client.ts'

export interface SearchClient {
  begin(): Promise<BegunAnswer>
  update(call: UpdateCall): Promise<SearchUpdateAnswer>
  refresh(call: RefreshCall): Promise<SearchUpdateAnswer>
  readDigests(): Promise<DigestsAnswer>
  listSellers(call: SellersCall): Promise<SellersAnswer>
  tellCompared(comparison: Comparison): Promise<void>
  clear(since: number): Promise<void>
  readState(): Promise<IndexState>
}

const RESULT = object({
  seller: string(),
  sequence: number(),
  outcome: picklist(UPDATE_OUTCOMES),
})
const UPDATED = object({ shards: number(), results: array(RESULT) })
const BEGUN = object({ shards: number(), since: number(), isFilled: boolean(), floor: number() })
const DIGESTS = object({ ...BEGUN.entries, buckets: array(object({ bucket: number(), digest: string() })) })
const SELLER = object({ seller: string(), sequence: number(), digest: nullable(string()) })
const SELLERS = object({ sellers: array(SELLER), next: nullable(string()) })
const STATE = object({
  shards: number(),
  sellers: number(),
  products: number(),
  compared: nullable(string()),
  repaired: number(),
  unfed: number(),
})
const NOTHING = object({})

const NOT_FOUND = 404

/** Each call is retried like all calls to the coordinator. Throws a `CallError`. */
export function createSearchClient({ ask }: Pick<CoordinatorClient, 'ask'>): SearchClient {
  const call = async <Answer>(
    schema: GenericSchema<unknown, Answer>,
    path: string,
    body: object,
  ): Promise<Answer> => {
    const answer = await ask(schema, `/search${path}`, body)
    if (answer === null) throw new Error(`the site answered /search${path} with the end of a lease`)
    return answer
  }
  return {
    begin: () => call(BEGUN, '/begin', {}),
    update: (updates) => call(UPDATED, '/update', packUpdate(updates)),
    refresh: (names) => call(UPDATED, '/refresh', names),
    readDigests: () => call(DIGESTS, '/digests', {}),
    listSellers: (body) => call(SELLERS, '/sellers', body),
    tellCompared: async (compared) => {
      await call(NOTHING, '/compared', compared)
    },
    clear: async (since) => {
      await call(NOTHING, '/clear', { clear: true, since } satisfies ClearCall)
    },
    readState: () => call(STATE, '/count', {}),
  }
}

/** Whether the error says that the site has no search index: its Worker is older, or lacks the binding. */
export function isWithoutIndex(error: unknown): boolean {
  return error instanceof CallError && error.status === NOT_FOUND
}

/** Returns the body of the call. */
export function packUpdate(updates: UpdateCall): { readonly gzip: string } {
  return { gzip: gzipSync(JSON.stringify(updates)).toString('base64') }
}
