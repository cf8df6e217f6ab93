/** Feeds the search index of the site after a publish. A failure does not affect the publish. */
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import type { Status } from '../../../domain/wire/coordinator-status.ts'
import type { PublishApproval } from '../../publish/coordinator/coordinator-approval.ts'
import { feedIndex, isFed } from '../../publish/search/feed-index.ts'
import { createSearchClient } from '../../publish/search/search-client.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { BuildOptions } from '../options.ts'
import { formatFedSellers, formatFeedProblem } from './format-feed.ts'
import { openEntries } from './open-entries.ts'

interface FeedOptions extends Pick<BuildOptions, 'configuration' | 'state' | 'isVerify'> {
  readonly progress: (text: string) => void
}

interface FedSite {
  readonly gate: Pick<PublishApproval, 'readStatus'>
  readonly snapshot: Snapshot
}

/** Max time of a call, in milliseconds. If the feed fails, the next publish feeds the sellers that are left. */
const PATIENCE = 60_000

/**
 * Feeds the sellers that are pending for the index. Compares all sellers if every file was verified, or if a comparison
 * of the index is due. `isChanged` is true if a version was put live. Returns lines to print. Never throws.
 */
export async function feedSite(
  options: FeedOptions,
  { snapshot, gate }: FedSite,
  isChanged: boolean,
): Promise<readonly string[]> {
  const { configuration, isVerify: isWhole, progress } = options
  const { coordinator, site } = configuration
  if (!site.search || isFed({ snapshot }, { isWhole, isChanged })) return []
  const isLive = async (id: string): Promise<boolean> =>
    isSurelyLive((await gate.readStatus()).publishing, id)
  try {
    const entries = openEntries(options, snapshot)
    const client = createSearchClient(createCoordinatorClient(coordinator, { patience: PATIENCE }))
    const { read } = entries
    const world = { snapshot, read, client, site: coordinator.url, isLive, progress }
    return formatFedSellers(await feedIndex(world, isWhole).finally(entries.close))
  } catch (error) {
    return formatFeedProblem(error)
  }
}

/** Returns whether the version `id` is live, and no other version may be live or is being published. */
export function isSurelyLive({ live, doubtful, leased }: Status['publishing'], id: string): boolean {
  return live?.version === id && doubtful === null && (leased === null || leased === id)
}
