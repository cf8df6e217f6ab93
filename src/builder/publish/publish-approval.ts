/** What publishing needs of the site's coordinator. */
import type { HoldAnswer, PublishAnswer, PublishCall } from '../../domain/wire/calls.ts'
import type { Status } from '../../domain/wire/coordinator-status.ts'

/** Every method rejects when the coordinator cannot be asked. */
export interface PublishApproval {
  readStatus(): Promise<Status>
  begin(call: Omit<PublishCall, 'newLease'>): Promise<PublishAnswer>
  /** `isLive` is `null` when that is not known. Answers `false` when the lease had ended. */
  end(lease: string, isLive: boolean | null): Promise<boolean>
  hold(
    reason: string,
    live: { readonly version: string; readonly sequence: number } | null,
  ): Promise<HoldAnswer>
  release(): Promise<void>
}
