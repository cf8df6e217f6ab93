/** The search index of a site in this process: the builder's client, the Worker's routes and the shards in memory. */
import { createRoutedClient, sendSearchCall } from '../../../scripts/prove/search/story-site.ts'
import type { SentCall } from '../../../scripts/prove/search/story-site.ts'
import type { SearchClient } from '../../../src/builder/publish/search/search-client.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { createMemoryIndex } from './search-index.ts'

export interface SearchSite {
  /** Replaced by a change of the number of shards. */
  index: JoinedIndex
  readonly client: SearchClient
  /** The calls until now. */
  readonly calls: readonly SentCall[]
  /** Called before each call. Throws to make it fail before it arrives. */
  before: (call: SentCall) => void
  /** Called after each call. Throws to lose its answer. */
  after: (call: SentCall) => void
  /** Sends a call again. */
  repeat(call: SentCall): Promise<void>
}

export function createSearchSite(shards = 1): SearchSite {
  const calls: SentCall[] = []
  const findIndex = (): JoinedIndex => site.index
  const site: SearchSite = {
    index: createMemoryIndex(shards),
    client: createRoutedClient(findIndex, async (call, send) => {
      calls.push(call)
      site.before(call)
      const response = await send()
      site.after(call)
      return response
    }),
    calls,
    before: () => {},
    after: () => {},
    repeat: async (call) => void (await sendSearchCall(call, site.index)),
  }
  return site
}
