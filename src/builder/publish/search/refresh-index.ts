/** Lane `objects`: compares the search index with the site. The Worker repairs it from the objects as they stand. */
import { MAX_OBJECTS } from '../../../domain/wire/object-calls.ts'
import type { SellerResult } from '../../../domain/wire/search-calls.ts'
import { formatIndexName, isIndexOf } from '../../rebuild/lane.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { Compared } from './compare-index.ts'
import { compareIndex } from './compare-index.ts'
import type { SearchClient } from './search-client.ts'
import type { DividedCalls } from './send-divided.ts'
import { sendDivided } from './send-divided.ts'
import type { ReadEntry } from './send-updates.ts'

export interface RefreshWorld {
  readonly snapshot: Pick<Snapshot, 'waits' | 'readBucket'>
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
  const { snapshot, read, client, progress } = world
  const { waits } = snapshot
  if (!(await isDue(world, reason))) return null
  const compared = await compareIndex({
    client,
    readBucket: (bucket) => snapshot.readBucket(bucket).map(({ seller }) => seller),
    read,
    isLeftOut: () => false,
    sequence: null,
    repair: (sellers, since) => refresh(sellers, since, client),
    // The objects were read after the look at the index, and are put before they are fed.
    isOtherLife: async () => true,
    forget: () => waits.compare('index'),
    progress,
  })
  waits.settleComparison('index')
  return compared
}

async function isDue(
  { snapshot: { waits }, client, site }: RefreshWorld,
  { isWhole, isPublished }: RefreshReason,
): Promise<boolean> {
  const isOfSite = isIndexOf('objects', site, waits.readBasis('index'))
  if (isWhole || isPublished || !isOfSite) {
    const { shards, compared } = await client.readState()
    // Before the comparison: if that is killed, the index of before may not be believed when it comes back.
    waits.register('index', formatIndexName('objects', shards, site))
    if (compared === null) waits.compare('index')
  }
  return isWhole || waits.isCompared('index')
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
