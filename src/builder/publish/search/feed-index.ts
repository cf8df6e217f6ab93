/**
 * Lane `assets`: feeds the search index after the switch to a new version. The snapshot's list of unfed sellers is the
 * outbox: names leave it after the index has their data, so that a killed feed is continued by the next.
 *
 * Publishes are ordered by the coordinator: first by the claimed sequence of their state, and those of one state among
 * each other by its own count. A feed's sequence follows that order, so an update that comes late changes nothing.
 */
import { formatIndexName } from '../../rebuild/lane.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import { compareIndex } from './compare-index.ts'
import type { SearchClient } from './search-client.ts'
import type { ReadEntry } from './send-updates.ts'
import { sendRepairs, sendUpdates } from './send-updates.ts'

export interface FeedWorld {
  readonly snapshot: Pick<
    Snapshot,
    'readUnfed' | 'forgetUnfed' | 'readFed' | 'writeFed' | 'readClaimed' | 'readBucket'
  >
  readonly read: ReadEntry
  readonly client: SearchClient
  /** Origin of the site. */
  readonly site: string
  /** Whether the version of this state is still live, so that nobody else has fed since. */
  readonly isLive: () => Promise<boolean>
  readonly progress: (text: string) => void
}

export interface FeedOutcome {
  /** Sellers that were sent because they changed. */
  readonly fed: number
  /** Sellers that differed; `null` if nothing was compared. */
  readonly repaired: number | null
  /** Sellers whose updates fail. Those that changed are sent again by the next feed. */
  readonly failed: number
}

/** Sequences between two claimed ones, which are times in milliseconds. Their product is exact for two centuries. */
const FEEDS_PER_CLAIM = 1_024

/**
 * The caller holds the lock of the state, whose site is live. Compares everything if `isWhole`, and if the index is not
 * known to have the rest. Rejects if a call fails.
 */
export async function feedIndex(world: FeedWorld, isWhole: boolean): Promise<FeedOutcome> {
  const { snapshot, client, site, isLive } = world
  const sequence = createFeedSequence(snapshot)
  const known = snapshot.readFed().index
  const names = snapshot.readUnfed()
  const begun = await client.begin()
  const isKnown = begun.isFilled && known === formatIndexName('assets', begun.shards, site)
  // The names go to this index: if the feed is killed before the comparison ends, the one of before may not be believed.
  if (!isKnown) snapshot.writeFed({ index: '', sequence })
  const { isLate, failed } = await feedNamed(names, { sequence, since: begun.since }, world)
  // An index that is ahead of a site whose version is live ignores its feeds, until a comparison finds it.
  const isAhead = isLate && (await isLive())
  const isCompared = isWhole || !isKnown || isAhead
  const compared = isCompared ? await compareWhole(sequence, world) : null
  if (compared !== null)
    snapshot.writeFed({ index: formatIndexName('assets', compared.shards, site), sequence })
  // Also those that a newer publisher has fed, and those that are too large for a call.
  snapshot.forgetUnfed(names.filter((name) => !failed.has(name)))
  return {
    fed: names.length - failed.size,
    repaired: compared?.repaired ?? null,
    failed: Math.max(failed.size, compared?.failed ?? 0),
  }
}

/** Whether a feed has nothing to do, as far as this state knows. */
export function isFed(
  { snapshot }: Pick<FeedWorld, 'snapshot'>,
  { isWhole, isChanged }: { readonly isWhole: boolean; readonly isChanged: boolean },
): boolean {
  return !isWhole && !isChanged && snapshot.readFed().index !== '' && snapshot.readUnfed().length === 0
}

/** Durable before it is used, so that no two feeds of this state have the same one. */
function createFeedSequence(snapshot: FeedWorld['snapshot']): number {
  const fed = snapshot.readFed()
  const sequence = Math.max((snapshot.readClaimed() ?? 0) * FEEDS_PER_CLAIM, fed.sequence + 1)
  snapshot.writeFed({ ...fed, sequence })
  return sequence
}

interface FedNames {
  /** Whether the index knows newer data of a seller. */
  readonly isLate: boolean
  readonly failed: ReadonlySet<string>
}

async function feedNamed(
  names: readonly string[],
  order: { readonly sequence: number; readonly since: number },
  { snapshot, read, client }: FeedWorld,
): Promise<FedNames> {
  let isLate = false
  const failed = new Set<string>()
  for await (const results of sendUpdates({ sellers: names, read, ...order, isRepair: false }, client)) {
    const taken = results.filter(({ outcome }) => outcome === 'stored' || outcome === 'equal')
    isLate ||= results.some(({ outcome }) => outcome === 'late')
    for (const { seller, outcome } of results) if (outcome === 'failed') failed.add(seller)
    snapshot.forgetUnfed(taken.map(({ seller }) => seller))
  }
  return { isLate, failed }
}

function compareWhole(
  sequence: number,
  { snapshot, read, client, isLive, progress }: FeedWorld,
): ReturnType<typeof compareIndex> {
  return compareIndex({
    client,
    readBucket: (bucket) => snapshot.readBucket(bucket).map(({ seller }) => seller),
    read,
    sequence,
    repair: (sellers, since) => sendRepairs({ sellers, read, sequence, since }, client),
    isOtherLife: isLive,
    forget: () => snapshot.writeFed({ index: '', sequence }),
    progress,
  })
}
