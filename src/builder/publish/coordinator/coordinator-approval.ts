/** The calls to the site's coordinator that publishing needs, and their implementation with signed calls. */
import type { Forced, HoldAnswer, PublishAnswer, PublishCall } from '../../../domain/wire/calls.ts'
import { COORDINATOR_CALLS } from '../../../domain/wire/calls.ts'
import type { Status } from '../../../domain/wire/coordinator-status.ts'
import type { CoordinatorClient } from './coordinator-client.ts'

/** Every method rejects when the call to the coordinator fails. */
export interface PublishApproval {
  readStatus(): Promise<Status>
  begin(call: Omit<PublishCall, 'newLease' | 'by'>): Promise<PublishAnswer>
  /**
   * Reports the result of a switch to a new version. `isLive` says whether that version is live; `null` if unknown.
   * Returns `false` if the lease had ended.
   */
  end(lease: string, isLive: boolean | null): Promise<boolean>
  hold(
    reason: string,
    live: { readonly version: string; readonly sequence: number } | null,
  ): Promise<HoldAnswer>
  release(): Promise<void>
  /**
   * Reports that a version was put live without permission. `call` says who did that and when, because the report may
   * be sent later and by another caller.
   */
  forced(call: Forced): Promise<void>
}

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
