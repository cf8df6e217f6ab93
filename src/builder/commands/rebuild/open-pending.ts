/** Creates the coordinator's client, the builder's name and the publish function for builds of pending sellers. */
import { resolve } from 'node:path'
import { hashBytes } from '../../state/manifest.ts'
import type { BegunDelivery } from '../../publish/objects/deliver-rebuild.ts'
import { findMachine } from '../../publish/find-actor.ts'
import type { DeliveryOutcome } from '../../publish/objects/delivery.ts'
import type { Deliverer } from '../objects/rebuild-objects.ts'
import type { PendingBuild } from '../../publish/pending/build-pending.ts'
import { connectCoordinator } from '../coordinator/connect-coordinator.ts'
import type { BuildOptions } from '../options.ts'

interface Way extends Pick<PendingBuild, 'client' | 'builder' | 'publish' | 'prepare'> {
  /** Returns the outcome of the most recent delivery; `null` if there was none, as always in lane `assets`. */
  readDelivery(): DeliveryOutcome | null
  close(): void
}

/** After `ending` aborts, claims are not retried. Throws a `UsageError` if no secret is set. */
export function openPending(
  options: BuildOptions,
  onRetry: (text: string) => void,
  ending?: AbortSignal,
): Way {
  const { configuration, environment, state, isDeploy, isServed } = options
  const client = connectCoordinator(configuration.coordinator, onRetry, ending)
  // The name contains a hash of the state folder's path. That folder is locked on its machine, so two builders of the
  // same name never run at once.
  const builder = `${findMachine(environment).slice(0, 100)} ${hashBytes(resolve(state)).slice(0, 8)}`
  const nothing = { readDelivery: () => null, close: () => {} }
  if (isDeploy && configuration.hosting.lane === 'objects')
    return { client, builder, ...openObjects(options, onRetry) }
  const publishHere = isServed ? (): Promise<readonly string[]> => Promise.resolve([]) : null
  const publish = isDeploy ? (isWhole: boolean) => publishResult(options, isWhole) : publishHere
  return { client, builder, publish, ...nothing }
}

type ObjectsWay = Omit<Way, 'client' | 'builder'>

/**
 * `prepare` runs before the source is read. For a build that compares all objects, it reads the tags of the objects,
 * because the data of an object must be read after its tag.
 */
function openObjects(options: BuildOptions, onRetry: (text: string) => void): ObjectsWay {
  let deliverer: Deliverer | null = null
  let begun: BegunDelivery | null = null
  let delivery: DeliveryOutcome | null = null
  const open = async (): Promise<Deliverer> => {
    const { openDeliverer } = await import('../objects/rebuild-objects.ts')
    return (deliverer ??= openDeliverer(options, onRetry))
  }
  return {
    prepare: async (world, isWhole) => {
      begun?.close()
      begun = await (await open()).begin(world, isWhole)
    },
    publish: async () => {
      if (begun === null) throw new Error('the delivery was not begun')
      const done = await (await open()).finish(begun, true)
      delivery = done.delivery
      return done.lines
    },
    readDelivery: () => delivery,
    close: () => {
      begun?.close()
      deliverer?.close()
    },
  }
}

/**
 * Publishes the result of the most recent rebuild; verifies every file if `isWhole` or `options.isVerify` is true.
 * Rejects if the publish fails. Returns lines to print.
 */
export async function publishResult(options: BuildOptions, isWhole: boolean): Promise<readonly string[]> {
  const { publish } = await import('../deploy/publish.ts')
  const isVerify = isWhole || options.isVerify
  return (await publish({ ...options, isVerify, progress: () => {} })).lines
}
