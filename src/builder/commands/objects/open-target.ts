/** Opens the site that objects are delivered to. */
import { join } from 'node:path'
import type { DeliveryTarget } from '../../publish/objects/deliver-rebuild.ts'
import { createObjectClient } from '../../publish/objects/object-client.ts'
import { openSentFiles } from '../../publish/objects/sent-files.ts'
import { createSearchClient } from '../../publish/search/search-client.ts'
import { connectCoordinator } from '../coordinator/connect-coordinator.ts'
import type { BuildOptions } from '../options.ts'
import { SENT_FILES } from '../rebuild/state-files.ts'

export interface OpenTarget extends DeliveryTarget {
  close(): void
}

/** Throws a `UsageError` if no secret is set. */
export function openTarget(
  { configuration: { coordinator }, state }: Pick<BuildOptions, 'configuration' | 'state'>,
  tell: (line: string) => void,
): OpenTarget {
  const calls = connectCoordinator(coordinator, tell)
  const [client, search] = [createObjectClient(calls), createSearchClient(calls)]
  const sent = openSentFiles(join(state, SENT_FILES), coordinator.url)
  return { site: coordinator.url, client, search, sent, close: () => sent.close() }
}
