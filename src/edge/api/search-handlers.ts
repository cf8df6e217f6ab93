/** Handles the builders' calls about the search index. */
import { createUpdate, MAX_LISTED } from '../../domain/search/search-index.ts'
import type { SEARCH_CALLS } from '../../domain/wire/search-calls.ts'
import type { JoinedIndex } from '../search/join-shards.ts'
import type { Handlers } from './handlers.ts'

export const SEARCH_HANDLERS: Handlers<JoinedIndex, typeof SEARCH_CALLS> = {
  see: (index, { see }) => index.see(see),
  update: async (index, { sellers }) => {
    const updates = sellers.map(({ seller, entry, seen }) => createUpdate(seller, entry, seen))
    return { outcomes: [...(await index.update(await Promise.all(updates)))] }
  },
  begin: (index) => index.begin(),
  listSellers: async (index, { bucket, after }) => {
    const sellers = await index.openBucket(bucket).listSellers(bucket, after)
    return { sellers, next: sellers.length < MAX_LISTED ? null : (sellers.at(-1)?.seller ?? null) }
  },
  endComparison: async (index, comparison) => {
    await index.noteCompared(comparison)
    return {}
  },
  readState: (index) => index.readState(),
}
