/** Implements `PublishApproval` with signed calls to the coordinator. */
import { COORDINATOR_CALLS } from '../../../domain/wire/calls.ts'
import type { CoordinatorClient } from './coordinator-client.ts'
import type { PublishApproval } from './publish-approval.ts'

/** `by` names the caller in the coordinator's log. */
export function createCoordinatorApproval(
  { ask, status }: Pick<CoordinatorClient, 'ask' | 'status'>,
  by: string,
): PublishApproval {
  const { publish, published, hold, release, forced } = COORDINATOR_CALLS
  return {
    readStatus: status,
    begin: (call) => ask(publish, { ...call, by }),
    end: async (lease, isLive) => (await ask(published, { lease, isLive, by })) !== null,
    hold: (reason, live) => ask(hold, { reason, live, by }),
    release: async () => {
      await ask(release, { release: true, by })
    },
    forced: async (call) => {
      await ask(forced, call)
    },
  }
}
