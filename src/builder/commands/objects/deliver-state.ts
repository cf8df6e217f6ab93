/** Lane `objects`: delivers the objects after `deploy` has published the Worker or failed to publish it. */
import { completeCode } from '../../publish/objects/await-code.ts'
import { beginDelivery } from '../../publish/objects/deliver-rebuild.ts'
import type { DeliveryOutcome } from '../../publish/objects/delivery.ts'
import type { DeliverableError } from '../../publish/publish-error.ts'
import { rebuild } from '../../rebuild/rebuild.ts'
import type { Deployed, DeployOptions } from '../deploy/deploy-options.ts'
import type { OpenWorld } from '../rebuild/open-world.ts'
import { openWorld } from '../rebuild/open-world.ts'
import { refreshSearch } from '../search/refresh-search.ts'
import { deliverAllTheSame } from './deliver-all-the-same.ts'
import { findDeliveryExit, formatDelivery } from './format-delivery.ts'
import type { OpenTarget } from './open-target.ts'
import { openTarget } from './open-target.ts'

export type DeliveredState = Required<Pick<Deployed, 'exit' | 'lines'>>

/** Outcome of publishing the Worker: the fingerprint of the published code, or the error that prevented the publish. */
export type WorkerEnd = { readonly code: string } | { readonly failure: DeliverableError }

/**
 * Waits for a limited time until the published code answers, then delivers the pending sellers. Compares all sellers
 * instead if the site may lack sellers that are not pending. If the Worker was not published, delivers at once, then
 * throws a `DeliverableError`.
 */
export async function deliverState(
  options: DeployOptions,
  worker: WorkerEnd,
  progress: (text: string) => void,
): Promise<DeliveredState> {
  const target = openTarget(options, progress)
  try {
    if ('failure' in worker)
      return await deliverAllTheSame(
        worker.failure,
        async () => (await deliver(options, target, progress)).delivery,
      )
    const told = await completeCode(target, { output: options.output, code: worker.code })
    const { delivery, search } = await deliver(options, target, progress)
    return { exit: findDeliveryExit(delivery), lines: [...told, ...formatDelivery(delivery), ...search] }
  } finally {
    target.close()
  }
}

interface Delivered {
  readonly delivery: DeliveryOutcome
  /** Lines to print about the search index. */
  readonly search: readonly string[]
}

async function deliver(
  options: DeployOptions,
  target: OpenTarget,
  progress: (text: string) => void,
): Promise<Delivered> {
  // Skips the check of all files, because the publish has already verified them.
  const world = await openWorld({ ...options, isVerify: false, isDeploy: true }, progress)
  try {
    return await deliverIn(world, target)
  } finally {
    world.close()
  }
}

async function deliverIn(world: OpenWorld, target: OpenTarget): Promise<Delivered> {
  const begun = await beginDelivery(world, target, false)
  try {
    // A comparison needs data that was read after the tags, so the source is read again.
    if (begun.isWhole) await rebuild(world)
    const delivery = await begun.deliver()
    return { delivery, search: await refreshSearch(begun, true) }
  } finally {
    begun.close()
  }
}
