/** The interface to the site's coordinator that publishing needs. */
import type { Forced, HoldAnswer, PublishAnswer, PublishCall } from '../../../domain/wire/calls.ts'
import type { Status } from '../../../domain/wire/coordinator-status.ts'

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
