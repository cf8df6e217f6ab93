/**
 * The way to the public: claim, rebuild, verify, publish, look at the live site, report. Claimed before anything is
 * read, so that a change which arrives meanwhile is named by the next claim. After a failure, visitors get the old site
 * or the new one in a deployment; in a bucket, a mixture of whole pages that the next run mends.
 */
import { readMessage } from '../../domain/documents/errors.ts'
import { cleanText } from '../../domain/documents/text.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import type { RebuildOutcome } from '../rebuild/rebuild.ts'
import { rebuild } from '../rebuild/rebuild.ts'
import type { World } from '../rebuild/world.ts'
import { isDamage } from '../result-codes.ts'
import type { Lease } from './lease.ts'
import type { BuiltSite, PublicPlace } from './public-place.ts'
import { PublishError } from './publish-error.ts'

export type DeployStep =
  | { readonly kind: 'claimed'; readonly lease: Lease }
  | { readonly kind: 'rebuilt'; readonly outcome: RebuildOutcome }
  /** `what` is `null` if the site was live already. */
  | { readonly kind: 'live'; readonly run: string; readonly what: string | null }
  /** `waiting` is `null` if the lease had ended, or without a coordinator. */
  | { readonly kind: 'reported'; readonly waiting: number | null; readonly isCoordinated: boolean }

interface Deploy {
  readonly world: World
  /** True if the coordinator names all who changed, so that no others are read. */
  readonly isNamed: boolean
  readonly place: PublicPlace
  readonly openLease: () => Promise<Lease>
  /** Throws unless the rebuilt site may be published. */
  readonly verify: (outcome: RebuildOutcome) => SiteMarker
  /** Returns what is wrong with the live site; `null` for nothing. */
  readonly look: (marker: SiteMarker) => Promise<string | null>
  readonly tell: (step: DeployStep) => void
}

export interface DeployedSite {
  readonly outcome: RebuildOutcome
  readonly marker: SiteMarker
  readonly isPublished: boolean
  readonly waiting: number | null
  readonly named: Lease['named']
}

/** If the run fails, reports its error to the coordinator, and throws it. */
export async function deploySite(deploy: Deploy): Promise<DeployedSite> {
  const { world, openLease, tell } = deploy
  // Throws if the code of this process is outdated, before anything is claimed.
  world.readInputs()
  const lease = await openLease()
  tell({ kind: 'claimed', lease })
  try {
    const { outcome, marker, isPublished } = await buildAndPublish(deploy, lease)
    const waiting = await lease.done(marker.run, outcome.failed)
    tell({ kind: 'reported', waiting, isCoordinated: lease.token !== null })
    return { outcome, marker, isPublished, waiting, named: lease.named }
  } finally {
    lease.stop()
  }
}

async function buildAndPublish(
  deploy: Deploy,
  lease: Lease,
): Promise<Pick<DeployedSite, 'outcome' | 'marker' | 'isPublished'>> {
  try {
    const site = await buildSite(deploy, lease)
    deploy.tell({ kind: 'rebuilt', outcome: site.outcome })
    return { ...site, isPublished: await publishSite(deploy, site) }
  } catch (error) {
    // With a damaged state, the caller begins again under the same lease.
    if (!isDamage(error)) await lease.fail(cleanText(readMessage(error))).catch(() => {})
    throw error
  }
}

async function buildSite({ world, isNamed, place, verify }: Deploy, lease: Lease): Promise<BuiltSite> {
  const { named, upTo: claimed, live } = lease
  const { options } = world
  const isFull = options.isFull || (named === 'all' && lease.token !== null)
  const outcome = await rebuild({
    ...world,
    options: {
      ...options,
      isFull,
      sellers: named === 'all' ? options.sellers : [...new Set([...options.sellers, ...named])],
      isClaimed: isNamed && named !== 'all',
      publishing: { claimed, live, isAtomic: place.isAtomic },
    },
  })
  return { outcome, marker: verify(outcome), lease }
}

/** Returns false if the site was live already. */
async function publishSite({ world, place, look, tell }: Deploy, site: BuiltSite): Promise<boolean> {
  const { marker, lease } = site
  const { run } = marker
  if (lease.live?.run === run && lease.live.state === 'closed') {
    tell({ kind: 'live', run, what: null })
    return false
  }
  // The Worker is bundled now: its code must be that of the pages.
  world.readInputs()
  const what = await place.publish(site)
  world.progress('Looking at the live site')
  const problem = await look(marker)
  if (problem !== null)
    throw new PublishError(
      `The site was published, but ${problem}. Run npm run deploy again, or npm run deploy -- --rollback.`,
    )
  tell({ kind: 'live', run, what })
  return true
}
