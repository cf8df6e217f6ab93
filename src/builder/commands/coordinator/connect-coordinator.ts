/** Creates the client of the configured coordinator. The client reports each retry as a line of text. */
import { formatTime } from '../../format-numbers.ts'
import type { CoordinatorClient, CoordinatorOptions } from '../../publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { formatEnvironment } from '../program.ts'

export const COORDINATOR_HELP = formatEnvironment({
  REBUILD_SECRET: 'the same secret as the site has',
  BUILDER_SECRET: "the builders' secret, if the site has one of its own",
  COORDINATOR_URL: 'origin of the coordinator (default: SITE_URL)',
})

/** After `ending` aborts, claims are not retried. Throws a `UsageError` if no secret is set. */
export function connectCoordinator(
  coordinator: Pick<CoordinatorOptions, 'url' | 'secrets'>,
  tell: (line: string) => void,
  ending?: AbortSignal,
): CoordinatorClient {
  return createCoordinatorClient(coordinator, {
    ending,
    onRetry: (problem, pause) => tell(`${problem}; retrying in ${formatTime(pause)}`),
  })
}
