/**
 * Lane `assets`: feeds the search index after the switch to a new version. The sellers who wait for the view `index` are the
 * outbox: they are settled after the index has their data, so that a killed feed is continued by the next. Nothing is fed
 * that no live page shows.
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
    'waits' | 'readPublished' | 'readFeeds' | 'writeFeeds' | 'readClaimed' | 'readBucket'
  >
  readonly read: ReadEntry
  readonly client: SearchClient
  /** Origin of the site. */
  readonly site: string
  /** Whether the version with this id is still live, so that nobody else has fed since. */
  readonly isLive: (id: string) => Promise<boolean>
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

const NOTHING: FeedOutcome = { fed: 0, repaired: null, failed: 0 }
const FAILED = 'the index did not take her data'

/**
 * The caller holds the lock of the state. Compares everything if `isWhole`, and if the view waits for a comparison. Feeds
 * nothing unless the last publish of this state is live. Rejects if a call fails.
 */
export async function feedIndex(world: FeedWorld, isWhole: boolean): Promise<FeedOutcome> {
  const { snapshot, client, site } = world
  const { waits } = snapshot
  const published = snapshot.readPublished()
  // While `files` waits for a comparison, pages may show other data than the snapshot has.
  if (published === null || waits.isCompared('files')) return NOTHING
  const { id, run } = published
  const isLive = (): Promise<boolean> => world.isLive(id)
  if (!(await isLive())) return NOTHING
  const sequence = createFeedSequence(snapshot)
  const begun = await client.begin()
  // The sellers go to this index: if the feed is killed before the comparison ends, the one of before may not be believed.
  waits.register('index', formatIndexName('assets', begun.shards, site))
  if (!begun.isFilled) waits.compare('index')
  const names = waits.list('index', { run })
  const { isLate, failed } = await feedNamed(names, { sequence, since: begun.since }, world)
  // An index that is ahead of a site whose version is live ignores its feeds, until a comparison finds it.
  const isAhead = isLate && (await isLive())
  const isCompared = isWhole || waits.isCompared('index') || isAhead
  const compared = isCompared ? await compareWhole({ sequence, run, isLive }, world) : null
  if (compared !== null) waits.settleComparison('index')
  // Also those that a newer publisher has fed, and those that are too large for a call.
  const taken = names.filter((name) => !failed.has(name))
  waits.settle('index', taken)
  return {
    fed: taken.length,
    repaired: compared?.repaired ?? null,
    failed: Math.max(failed.size, compared?.failed ?? 0),
  }
}

/** Whether a feed has nothing to do, as far as this state knows. */
export function isFed(
  { snapshot: { waits } }: { readonly snapshot: Pick<Snapshot, 'waits'> },
  { isWhole, isChanged }: { readonly isWhole: boolean; readonly isChanged: boolean },
): boolean {
  const isKnown = waits.readBasis('index') !== null && !waits.isCompared('index')
  return !isWhole && !isChanged && isKnown && waits.list('index').length === 0
}

/** Durable before it is used, so that no two feeds of this state have the same one. */
function createFeedSequence(snapshot: FeedWorld['snapshot']): number {
  const sequence = Math.max((snapshot.readClaimed() ?? 0) * FEEDS_PER_CLAIM, snapshot.readFeeds() + 1)
  snapshot.writeFeeds(sequence)
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
  { snapshot: { waits }, read, client }: FeedWorld,
): Promise<FedNames> {
  let isLate = false
  const failed = new Set<string>()
  for await (const results of sendUpdates({ sellers: names, read, ...order, isRepair: false }, client)) {
    const taken = results.filter(({ outcome }) => outcome === 'stored' || outcome === 'equal')
    isLate ||= results.some(({ outcome }) => outcome === 'late')
    const left = results.filter(({ outcome }) => outcome === 'failed')
    for (const { seller } of left) failed.add(seller)
    waits.postpone(
      'index',
      left.map(({ seller }) => ({ seller, reason: FAILED })),
    )
    waits.settle(
      'index',
      taken.map(({ seller }) => seller),
    )
  }
  return { isLate, failed }
}

interface CompareOptions {
  readonly sequence: number
  /** The last run that is published. */
  readonly run: number
  readonly isLive: () => Promise<boolean>
}

function compareWhole(
  { sequence, run, isLive }: CompareOptions,
  { snapshot, read, client, progress }: FeedWorld,
): ReturnType<typeof compareIndex> {
  const { waits } = snapshot
  return compareIndex({
    client,
    readBucket: (bucket) => snapshot.readBucket(bucket).map(({ seller }) => seller),
    read,
    isLeftOut: (seller) => waits.isUnpublished(seller, run),
    sequence,
    repair: (sellers, since) => sendRepairs({ sellers, read, sequence, since }, client),
    isOtherLife: isLive,
    forget: () => waits.compare('index'),
    progress,
  })
}
