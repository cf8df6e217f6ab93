/** Lane `objects`: rebuilds, publishes the Worker if its code or its files changed, and delivers the objects. */
import type { BegunDelivery } from '../../publish/objects/deliver-rebuild.ts'
import { beginDelivery } from '../../publish/objects/deliver-rebuild.ts'
import type { DeliveryOutcome } from '../../publish/objects/delivery.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { rebuild } from '../../rebuild/rebuild.ts'
import type { World } from '../../rebuild/world.ts'
import type { BuildOptions } from '../options.ts'
import { refreshSearch } from '../search/refresh-search.ts'
import { deliverAllTheSame } from './deliver-all-the-same.ts'
import { explainUndelivered } from './explain-undelivered.ts'
import { formatDelivery } from './format-delivery.ts'
import { openTarget } from './open-target.ts'
import { publishWorker } from './publish-worker.ts'
import type { PublishedWorker } from './settle-refusal.ts'

export interface DeliveredRebuild {
  readonly outcome: RebuildOutcome
  readonly delivery: DeliveryOutcome
  /** Lines to print about the publish, the delivery and the search index. */
  readonly lines: readonly string[]
}

export interface Deliverer {
  /**
   * Rebuilds in `world` and delivers in `delivering`, which is the same world by default. `delivering.openSource` opens
   * the source itself, which a comparison needs; `world.openSource` may read a copy in memory.
   */
  run(world: World, delivering?: World): Promise<DeliveredRebuild>
  /**
   * `begin` and `finish` are the steps of `run` before and after the rebuild. A caller runs the rebuild between them.
   */
  begin(world: World, isWhole: boolean): Promise<BegunDelivery>
  finish(begun: BegunDelivery, isTouched: boolean): Promise<Omit<DeliveredRebuild, 'outcome'>>
  close(): void
}

const NOTHING: PublishedWorker = { lines: [], failure: null }

/** Throws a `UsageError` if no secret is set. */
export function openDeliverer(options: BuildOptions, tell: (line: string) => void): Deliverer {
  const target = openTarget(options, tell)
  // Until this process has published once, the site may lack what an earlier run has built. Until then, `finish` calls
  // `publishWorker` even if the rebuild changed nothing.
  let isPublished = false
  const finish: Deliverer['finish'] = async (begun, isTouched) => {
    const mayPublish = !isPublished || isTouched
    const { lines, failure, said = '' } = mayPublish ? await publishWorker(options, target) : NOTHING
    if (failure !== null) return deliverAllTheSame(failure, begun.deliver)
    isPublished = true
    const delivery = await begun.deliver().catch((error: unknown) => {
      throw explainUndelivered(said, error)
    })
    const search = await refreshSearch(begun, mayPublish)
    return { delivery, lines: [...lines, ...formatDelivery(delivery), ...search] }
  }
  return {
    run: async (world, delivering = world) => {
      const { openSource } = delivering
      const begun = await beginDelivery(delivering, target, delivering.options.isFull)
      try {
        // A comparison of all objects reads the source itself, because a copy in memory may be older than the tags just
        // read.
        const outcome = await rebuild(begun.isWhole ? { ...world, openSource } : world)
        return { outcome, ...(await finish(begun, outcome.isTouched)) }
      } finally {
        begun.close()
      }
    },
    begin: (world, isWhole) => beginDelivery(world, target, isWhole),
    finish,
    close: () => target.close(),
  }
}
