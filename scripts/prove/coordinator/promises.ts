/** Checks the guarantees of the coordinator against the documents, pages and live versions of a story. */
import type { SiteRelease, LiveVersions, CoordinatorWorld } from './world.ts'
import { demand } from './world.ts'

/**
 * Checks a version that has permission to go live. Its sequence may not be lower than that of the live version. None of
 * its pages may be older than both the live page and the data that had been announced when the version's build was
 * claimed, unless the page failed to render.
 */
export function checkGoesLive({ live, forced }: CoordinatorWorld, next: SiteRelease): void {
  // Until a forced version is reported, the coordinator does not know which version is live.
  if (live === null || forced !== null) return
  demand(
    next.sequence >= live.sequence,
    `the release ${next.name} of sequence ${next.sequence} replaced ${live.name} of the later sequence ${live.sequence}`,
  )
  // Permitted versions go live in the order in which their documents were read. The documents of a forced version
  // may have been read at any time, so its pages are not compared.
  if (live.isForced) return
  for (const [seller, version] of live.pages) {
    const announced = Math.min(version, next.announced.get(seller) ?? 0)
    const page = next.pages.get(seller) ?? 0
    demand(
      page >= announced || next.stale.has(seller),
      `the release ${next.name} has version ${page} of ${seller}, but ${live.name}, which it replaces, has version ${version}`,
    )
  }
}

/**
 * Checks that the answer to a claim contains every seller whose announced documents are not in the builder's state yet.
 */
export function checkGiven(
  { owed }: CoordinatorWorld,
  known: LiveVersions,
  given: readonly string[] | 'all',
): void {
  if (given === 'all') return
  for (const [seller, version] of owed)
    demand(
      (known.get(seller) ?? 0) >= version || given.includes(seller),
      `the answer to a claim did not name ${seller}, although the builder lacks version ${version} of this seller`,
    )
}

/**
 * Checks that the coordinator counts the pending sellers in its rows correctly. Also checks that it remembers every
 * announced version that is not live, and has set an alarm for it, except during a hold or before a forced version is
 * reported.
 */
export function checkRemembered(world: CoordinatorWorld): void {
  const { twin, forced, isHeld } = world
  const { standing } = twin
  const pending = new Set([...twin.listChanged(standing.published), ...twin.listFailing()])
  demand(
    standing.pending === pending.size,
    `the coordinator counts ${standing.pending} pending sellers, but its rows show ${pending.size}`,
  )
  const isBusy = standing.lease !== null
  const isRemembered = isBusy || standing.unclaimed !== null || standing.full > standing.published
  const lacking = world.listLacking()
  if (forced !== null) return
  const lost = lacking.filter((seller) => !isRemembered && !isHeld && !pending.has(seller))
  demand(lost.length === 0, `the coordinator forgot announced changes that are not live: ${lost.join(', ')}`)
  if (lacking.length > 0 && !isHeld)
    demand(
      twin.alarm !== null,
      `no alarm is set, although these sellers have announced changes that are not live: ${lacking.join(', ')}`,
    )
}

/**
 * Checks, after all faults have ended, that all announced changes are live, that nothing is pending, and that the
 * coordinator reports the live version as live or as doubtful.
 */
export function checkSettled(world: CoordinatorWorld): void {
  const lacking = world.listLacking()
  demand(lacking.length === 0, `announced changes of these sellers never went live: ${lacking.join(', ')}`)
  // Advances the clock, so that the lease of a publisher that died expires.
  world.twin.now += world.twin.settings.publishLease
  const { pending, full, running, waiting, failed, publishing } = world.twin.status()
  demand(
    pending === 0 && failed === 0 && !full && !waiting && running === null,
    'each change is live, but the status reports waiting work',
  )
  const { live, doubtful } = publishing
  const believed = [live?.version, doubtful ?? undefined]
  demand(
    world.live === null || believed.includes(world.live.name),
    `${world.live?.name} is live, but the coordinator believes that ${believed.join(' or ')} is`,
  )
}
