/** Handles the builders' calls about the search index. */
import { createUpdate, MAX_LISTED } from '../../domain/search/search-index.ts'
import type { SEARCH_CALLS } from '../../domain/wire/search-calls.ts'
import type { JoinedIndex } from '../search/join-shards.ts'
import type { IndexLane } from '../search/open-index.ts'
import type { Handlers } from './handlers.ts'
import { refuse } from './refuse.ts'

export interface IndexHost {
  readonly index: JoinedIndex
  readonly lane: IndexLane
}

export const SEARCH_HANDLERS: Handlers<IndexHost, typeof SEARCH_CALLS> = {
  see: ({ index }, { see }) => index.see(see),
  update: async ({ index, lane }, { sellers }) => {
    // Refuses the call in lane `objects`, where only objects fill the index.
    if (lane === 'objects') return refuse(404)
    const updates = sellers.map(({ seller, entry, seen }) => createUpdate(seller, entry, seen))
    return { outcomes: [...(await index.update(await Promise.all(updates)))] }
  },
  pull: async ({ index, lane }, { pull }) =>
    lane === 'assets' ? refuse(404) : { outcomes: [...(await index.pull(pull))] },
  begin: ({ index }) => index.begin(),
  listSellers: async ({ index }, { bucket, after }) => {
    const sellers = await index.openBucket(bucket).listSellers(bucket, after)
    return { sellers, next: sellers.length < MAX_LISTED ? null : (sellers.at(-1)?.seller ?? null) }
  },
  endComparison: async ({ index }, comparison) => {
    await index.noteCompared(comparison)
    return {}
  },
  readState: ({ index }) => index.readState(),
}
