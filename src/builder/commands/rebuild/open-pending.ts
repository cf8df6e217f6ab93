/** Opens the client of the coordinator, the builder's name and the publish function for builds of pending sellers. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { hashBytes } from '../../state/manifest.ts'
import type { PendingBuild } from '../../publish/build-pending.ts'
import { connectCoordinator } from '../coordinator/connect-coordinator.ts'
import type { CommandOptions } from './rebuild-options.ts'

type Way = Pick<PendingBuild, 'client' | 'builder' | 'publish'>

/** Throws a `UsageError` when no usable secret is set. */
export function openPending(options: CommandOptions, onRetry: (text: string) => void): Way {
  const { configuration, state, isDeploy, isServed } = options
  const client = connectCoordinator(configuration.coordinator, onRetry)
  // The state folder is locked, so two builders of one name never run at once.
  const builder = `${hostname().slice(0, 100)} ${hashBytes(resolve(state)).slice(0, 8)}`
  const publishHere = isServed ? (): Promise<readonly string[]> => Promise.resolve([]) : null
  const publish = isDeploy ? (isWhole: boolean) => publishResult(options, isWhole) : publishHere
  return { client, builder, publish }
}

/** Throws when nothing was published. Returns lines for people. */
export async function publishResult(
  { configuration, environment, stage, state, output, isVerify }: CommandOptions,
  isWhole: boolean,
): Promise<readonly string[]> {
  const { publish } = await import('../deploy/publish.ts')
  const { lines } = await publish({
    configuration,
    environment,
    stage,
    state,
    output,
    isFull: isWhole || isVerify,
    isForced: false,
    isOlderAllowed: false,
    progress: () => {},
  })
  return lines
}
