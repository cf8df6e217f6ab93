/** Lane `objects`: compares the search index with the site. For sellers that differ, shards read the objects again. */
import { MAX_NAMES } from '../../../domain/wire/call.ts'
import { divide } from '../../../domain/work/batches.ts'
import { formatIndexName, isIndexOf } from '../../rebuild/lane.ts'
import type { FailureBudget } from '../coordinator/send-divided.ts'
import { createFailureBudget, sendDivided } from '../coordinator/send-divided.ts'
import type { Compared } from './compare-index.ts'
import { compareIndex } from './compare-index.ts'
import type { FeedWorld } from './feed-index.ts'
import type { SellerResult } from './put-sellers.ts'
import type { SearchClient } from './search-client.ts'

type RefreshWorld = Omit<FeedWorld, 'isLive'>

export interface RefreshReason {
  /** True if the delivery of objects before this call compared all of them, as it does every night. */
  readonly isWhole: boolean
  /** True if a new Worker may have gone live. Its index may have another number of shards. */
  readonly isPublished: boolean
}

/**
 * Compares the index if that is due, else returns `null`. Each writer of an object also feeds the index, so a
 * comparison of the index is due only after a comparison of all objects, for an index that this state did not know, or
 * if none was ever finished. Rejects if a call fails.
 */
export async function refreshIndex(world: RefreshWorld, reason: RefreshReason): Promise<Compared | null> {
  const { snapshot, client } = world
  if (!(await isDue(world, reason))) return null
  const budget = createFailureBudget()
  const compared = await compareIndex({ ...world, repair: (sellers) => pull(sellers, client, budget) })
  await client.endComparison({ epoch: compared.epoch, repaired: compared.repaired })
  snapshot.waits.settleComparison('index')
  return compared
}

async function isDue(
  { snapshot: { waits }, client, site }: RefreshWorld,
  { isWhole, isPublished }: RefreshReason,
): Promise<boolean> {
  const isOfSite = isIndexOf('objects', site, waits.readBasis('index'))
  if (isWhole || isPublished || !isOfSite) {
    const { life, compared } = await client.readState()
    // Registers the id of the index before the comparison. A new id makes a comparison due. It stays due until it is
    // finished, even if the index with the earlier id is restored meanwhile.
    waits.register('index', formatIndexName('objects', life, site))
    if (isWhole || compared === null) waits.compare('index')
  }
  return waits.isCompared('index')
}

async function pull(
  sellers: readonly string[],
  client: Pick<SearchClient, 'pull' | 'readState'>,
  budget: FailureBudget,
): Promise<readonly SellerResult[]> {
  const all: SellerResult[] = []
  const send = async (names: readonly string[]): Promise<readonly SellerResult[]> => {
    const { outcomes } = await client.pull({ pull: names })
    return names.map((seller, at) => ({ seller, outcome: outcomes[at] ?? 'failed' }))
  }
  const createFailure = (seller: string): SellerResult => ({ seller, outcome: 'failed' })
  for (const names of divide(sellers, MAX_NAMES))
    for await (const results of sendDivided(names, { send, probe: client.readState, createFailure, budget }))
      all.push(...results)
  return all
}
