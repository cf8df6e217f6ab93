/** Lane `objects`: compares the search index with the site. The Worker repairs it from the objects as they stand. */
import { MAX_OBJECTS } from '../../../domain/wire/object-calls.ts'
import type { SellerResult } from '../../../domain/wire/search-calls.ts'
import { formatIndexName, isOfLane } from '../../rebuild/lane.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { Compared } from './compare-index.ts'
import { compareIndex } from './compare-index.ts'
import type { SearchClient } from './search-client.ts'
import type { DividedCalls } from './send-divided.ts'
import { sendDivided } from './send-divided.ts'
import type { ReadEntry } from './send-updates.ts'

export interface RefreshWorld {
  readonly snapshot: Pick<Snapshot, 'readFed' | 'writeFed' | 'readBucket'>
  readonly read: ReadEntry
  readonly client: SearchClient
  readonly site: string
  readonly progress: (text: string) => void
}

export interface RefreshReason {
  /** Whether all objects were compared, as every night. */
  readonly isWhole: boolean
  /** Whether another Worker may be live, whose index may have another number of shards. */
  readonly isPublished: boolean
}

/**
 * Whoever puts an object feeds the index, so that a comparison is due only with that of all objects, and while this
 * state knows of none. Returns `null` if none was due. Rejects if a call fails.
 */
export async function refreshIndex(world: RefreshWorld, reason: RefreshReason): Promise<Compared | null> {
  const { snapshot, read, client, site, progress } = world
  const fed = snapshot.readFed()
  const isSame = await isKnown(fed.index, reason, world)
  if (!reason.isWhole && isSame) return null
  // If this is killed, the index of before may not be believed when it comes back.
  if (!isSame) snapshot.writeFed({ ...fed, index: '' })
  const compared = await compareIndex({
    client,
    readBucket: (bucket) => snapshot.readBucket(bucket).map(({ seller }) => seller),
    read,
    sequence: null,
    repair: (sellers, since) => refresh(sellers, since, client),
    // The objects were read after the look at the index, and are put before they are fed.
    isOtherLife: async () => true,
    forget: () => snapshot.writeFed({ ...fed, index: '' }),
    progress,
  })
  snapshot.writeFed({ ...fed, index: formatIndexName('objects', compared.shards, site) })
  return compared
}

async function isKnown(
  index: string,
  { isPublished }: RefreshReason,
  { client, site }: RefreshWorld,
): Promise<boolean> {
  if (!isOfLane('objects', index) || !index.endsWith(` ${site}`)) return false
  if (!isPublished) return true
  const { shards, compared } = await client.readState()
  return compared !== null && index === formatIndexName('objects', shards, site)
}

async function refresh(
  sellers: readonly string[],
  since: number,
  client: Pick<SearchClient, 'refresh' | 'begin'>,
): Promise<readonly SellerResult[]> {
  const all: SellerResult[] = []
  const calls: DividedCalls<string, SellerResult> = {
    send: async (names) => (await client.refresh({ names, since })).results,
    probe: () => client.begin(),
    createFailure: (seller) => ({ seller, sequence: 0, outcome: 'failed' }),
  }
  for (let from = 0; from < sellers.length; from += MAX_OBJECTS)
    for await (const results of sendDivided(sellers.slice(from, from + MAX_OBJECTS), calls))
      all.push(...results)
  return all
}
