/** The search index of a site in this process: the builder's client, the Worker's routes and the shards in memory. */
import { createRoutedClient, sendSearchCall } from '../../../scripts/prove/search/story-site.ts'
import type { SentCall } from '../../../scripts/prove/search/story-site.ts'
import type { SearchClient } from '../../../src/builder/publish/search/search-client.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import type { IndexHost } from '../../../src/edge/api/search-handlers.ts'
import type { ReadData } from '../../../src/edge/search/pull-sellers.ts'
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

/** `readData`: reads the objects of a site of objects. */
export function createSearchSite(shards = 1, readData: ReadData | null = null): SearchSite {
  const calls: SentCall[] = []
  const lane = readData === null ? 'assets' : 'objects'
  const host = (): IndexHost => ({ index: site.index, lane })
  const site: SearchSite = {
    index: createMemoryIndex(shards, { readData }),
    client: createRoutedClient(host, async (call, send) => {
      calls.push(call)
      site.before(call)
      const response = await send()
      site.after(call)
      return response
    }),
    calls,
    before: () => {},
    after: () => {},
    repeat: async (call) => void (await sendSearchCall(call, host())),
  }
  return site
}
