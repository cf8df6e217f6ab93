/** The client of the configured coordinator, which tells each retry in words. */
import { formatTime } from '../../format-numbers.ts'
import type { CoordinatorClient, CoordinatorOptions } from '../../publish/coordinator-client.ts'
import { createCoordinatorClient } from '../../publish/coordinator-client.ts'

/** What help says of the environment of commands that call it. */
export const COORDINATOR_HELP = `

Environment (or .env): REBUILD_SECRET, the same as the site's; COORDINATOR_URL, by default SITE_URL.`

/** Throws a `UsageError` when no usable secret is set. */
export function connectCoordinator(
  coordinator: CoordinatorOptions,
  tell: (line: string) => void,
): CoordinatorClient {
  return createCoordinatorClient(coordinator, {
    onRetry: (problem, pause) => tell(`${problem}; again in ${formatTime(pause)}`),
  })
}
