/**
 * Feeds the search index after the switch to a new version. The outbox is the sellers who wait for the
 * view `index`. Each seller is settled once the index has the seller's data, so that the next feed continues an
 * interrupted one. Feeds only data that live pages show.
 */
import type { LastPublish, Snapshot } from '../../state/snapshot/snapshot.ts'
import { createFailureBudget } from '../coordinator/send-divided.ts'
import type { Compared } from './compare-index.ts'
import { compareIndex } from './compare-index.ts'
import type { ReadEntry } from './put-sellers.ts'
import { putSellers } from './put-sellers.ts'
import type { SearchClient } from './search-client.ts'

export interface FeedWorld {
  readonly snapshot: Pick<Snapshot, 'waits' | 'readPublished' | 'readBucket'>
  readonly read: ReadEntry
  readonly client: SearchClient
  /** Origin of the site. */
  readonly site: string
  /** Returns whether the version with this id is live. If it is not, another publisher feeds the index. */
  readonly isLive: (id: string) => Promise<boolean>
  readonly progress: (text: string) => void
}

export interface FeedOutcome {
  /** Number of changed sellers whose current data is now in the index. */
  readonly fed: number
  /**
   * Number of further sellers whose current data is now in the index, because a comparison found that they differed;
   * `null` if nothing was compared.
   */
  readonly repaired: number | null
  /**
   * Number of sellers that still wait, because their updates failed or were rejected at each try; 0 if another publish
   * went live meanwhile. The next feed retries them.
   */
  readonly failed: number
}

/** Max rounds of puts. A further round retries sellers that another publisher put meanwhile. */
const ROUNDS = 5

const NOTHING: FeedOutcome = { fed: 0, repaired: null, failed: 0 }
const FAILED = 'the search index did not accept the data of this seller; the next publish tries again'

/**
 * Compares everything if `isWhole`, if the view `index` waits for a comparison, or if no comparison of this index was
 * ever finished. Feeds nothing unless the last publish of this state is live. The caller holds the lock of the state.
 * Rejects if a call fails.
 */
export async function feedIndex(world: FeedWorld, isWhole: boolean): Promise<FeedOutcome> {
  const { snapshot, client, site, isLive } = world
  const { waits } = snapshot
  const published = snapshot.readPublished()
  // Feeds nothing while `files` waits for a comparison, because the pages may then show other data than the snapshot
  // has.
  if (published === null || waits.isCompared('files')) return NOTHING
  if (!(await isLive(published.id))) return NOTHING
  const { run } = published
  const named = new Set(waits.list('index', run))
  const { life, compared: last } = await client.readState()
  waits.register('index', `${life} ${site}`)
  // With `isWhole`, compares everything, because other publishers may have fed sellers that do not wait here. Also
  // compares an index for which no comparison was ever finished.
  if (isWhole || last === null) waits.compare('index')
  const compared = waits.isCompared('index') ? await compareWhole(world, run) : null
  const { done, isEnded } = await feedList({ ...published, life: compared?.life ?? life }, world)
  const fed = done.filter((seller) => named.has(seller)).length
  const repaired = compared === null ? null : done.length - fed
  if (compared !== null && isEnded)
    await client.endComparison({ epoch: compared.epoch, repaired: repaired ?? 0 })
  return { fed, repaired, failed: isEnded ? waits.list('index', run).length : 0 }
}

/** Returns whether a feed would have nothing to do, as far as can be known without a call to the index. */
export function isFed(
  { snapshot: { waits } }: { readonly snapshot: Pick<Snapshot, 'waits'> },
  { isWhole, isChanged }: { readonly isWhole: boolean; readonly isChanged: boolean },
): boolean {
  const isKnown = waits.readBasis('index') !== null && !waits.isCompared('index')
  return !isWhole && !isChanged && isKnown && waits.list('index').length === 0
}

/** Compares the index with the snapshot, and adds the sellers that differ to the outbox. */
async function compareWhole(world: FeedWorld, run: number): Promise<Compared> {
  const { snapshot, site } = world
  const { waits } = snapshot
  const repair = async (sellers: readonly string[]): Promise<readonly []> => {
    waits.addToIndex(sellers, run)
    return []
  }
  const compared = await compareIndex({ ...world, repair })
  waits.register('index', `${compared.life} ${site}`)
  waits.settleComparison('index')
  return compared
}

interface FedPublish extends LastPublish {
  /** Id of the index, as read before the feed or at the comparison. */
  readonly life: string
}

interface FedList {
  /** Sellers whose current data is now in the index. */
  readonly done: readonly string[]
  /** True if all waiting sellers were tried; `false` if another publish went live meanwhile. */
  readonly isEnded: boolean
}

/**
 * Puts the waiting sellers into the index. Retries, with new tags, sellers that another publisher put meanwhile.
 * Rejects if the id of the index changes meanwhile, for example because a shard was emptied: the index may then lack
 * sellers, so the next feed must compare them all.
 */
async function feedList(
  { id, run, life }: FedPublish,
  { snapshot, isLive, ...world }: FeedWorld,
): Promise<FedList> {
  const { waits } = snapshot
  const [done, failed]: [string[], Set<string>] = [[], new Set()]
  const budget = createFailureBudget()
  const publish = { isLive: true }
  const mayPut = async (seen: string): Promise<boolean> => {
    if (seen !== life) throw new Error('the search index was emptied during this update.')
    return (publish.isLive = await isLive(id))
  }
  for (let round = 1; round <= ROUNDS && publish.isLive; round += 1) {
    const waiting = waits.list('index', run).filter((seller) => !failed.has(seller))
    if (waiting.length === 0) break
    for await (const results of putSellers(waiting, { ...world, mayPut, budget })) {
      const settled = results.filter(({ outcome }) => outcome === 'stored' || outcome === 'equal')
      const left = results.filter(({ outcome }) => outcome === 'failed')
      for (const { seller } of left) failed.add(seller)
      const failures = left.map(({ seller }) => ({ seller, reason: FAILED }))
      waits.postpone('index', failures)
      const sellers = settled.map(({ seller }) => seller)
      waits.settle('index', sellers)
      done.push(...sellers)
    }
  }
  return { done, isEnded: publish.isLive }
}
