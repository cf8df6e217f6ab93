/** Creates the client of the configured coordinator. The client reports each retry as a line of text. */
import { formatTime } from '../../format-numbers.ts'
import type { CoordinatorClient, CoordinatorOptions } from '../../publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { COORDINATOR_VARIABLES, formatEnvironment } from '../program.ts'

export const COORDINATOR_HELP = formatEnvironment(COORDINATOR_VARIABLES)

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
