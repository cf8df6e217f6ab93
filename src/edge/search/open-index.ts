/** Opens the search index of a Worker from its binding and its variable. */
import type { Namespace } from 'cloudflare:workers'
import type { SearchIndex } from '../../domain/search/search-index.ts'
import type { JoinedIndex, ShardsOptions } from './join-shards.ts'
import { formatShardName, joinShards } from './join-shards.ts'

export interface SearchEnvironment {
  /** Absent in a Worker that was deployed with an older configuration, or with `SEARCH=off`. */
  readonly SEARCH_INDEX?: Namespace<SearchIndex>
  /** Number of shards; default 1. */
  readonly SEARCH_SHARDS?: string
}

const MOST_SHARDS = 32

export const SEARCH_DEFAULTS = { SEARCH_SHARDS: 1 } as const

/** Returns `null` without the binding. */
export function openIndex(
  { SEARCH_INDEX, SEARCH_SHARDS }: SearchEnvironment,
  log: ShardsOptions['log'],
): JoinedIndex | null {
  if (SEARCH_INDEX === undefined) return null
  const count = readShards(SEARCH_SHARDS)
  const shards = Array.from({ length: count }, (_, index) =>
    SEARCH_INDEX.getByName(formatShardName(count, index)),
  )
  return joinShards({ shards, log })
}

/** Returns the number of shards; the default for a text that is not a whole number from 1 to 32. */
function readShards(text: string | undefined): number {
  const count = Number(text)
  return Number.isInteger(count) && count >= 1 && count <= MOST_SHARDS ? count : SEARCH_DEFAULTS.SEARCH_SHARDS
}
