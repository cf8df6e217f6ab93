/** Creates the coordinator's client, the builder's name and the publish function for builds of pending sellers. */
import { resolve } from 'node:path'
import { hashBytes } from '../../files/file-hashes.ts'
import { findMachine } from '../../publish/find-actor.ts'
import type { PendingBuild } from '../../publish/pending/build-pending.ts'
import { connectCoordinator } from '../coordinator/connect-coordinator.ts'
import type { BuildOptions } from '../options.ts'

/** After `ending` aborts, claims are not retried. Throws a `UsageError` if no secret is set. */
export function openPending(
  options: BuildOptions,
  onRetry: (text: string) => void,
  ending?: AbortSignal,
): Pick<PendingBuild, 'client' | 'builder' | 'publish'> {
  const { configuration, environment, state, isDeploy } = options
  const client = connectCoordinator(configuration.coordinator, onRetry, ending)
  // The name contains a hash of the state folder's path. That folder is locked on its machine, so two builders of the
  // same name never run at once.
  const builder = `${findMachine(environment).slice(0, 100)} ${hashBytes(resolve(state)).slice(0, 8)}`
  return { client, builder, publish: isDeploy ? () => publishResult(options) : null }
}

/** Publishes the result of the most recent rebuild. Rejects if the publish fails. Returns lines to print. */
export async function publishResult(options: BuildOptions): Promise<readonly string[]> {
  const { publish } = await import('../deploy/publish.ts')
  return (await publish({ ...options, progress: () => {} })).lines
}
