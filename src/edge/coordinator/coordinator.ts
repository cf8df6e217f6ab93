import type {
  NoticeAnswer,
  Claim,
  ClaimAnswer,
  RenewAnswer,
  BuildReport,
  ReportAnswer,
  PublishCall,
  PublishAnswer,
  PublishEnd,
  Forced,
  HoldBody,
  HoldAnswer,
  ReleaseBody,
} from '../../domain/wire/calls.ts'
import type { CatalogueNotice } from '../../domain/wire/notice.ts'
import type { Status } from '../../domain/wire/coordinator-status.ts'

/** The only coordinator of a site. Each method resolves after its changes are durable and rejects if storing fails. */
export interface Coordinator {
  accept(notice: CatalogueNotice): Promise<NoticeAnswer>
  claim(claim: Omit<Claim, 'newLease'>): Promise<ClaimAnswer | null>
  renew(lease: string): Promise<RenewAnswer | null>
  report(report: BuildReport): Promise<ReportAnswer | null>
  status(query: { readonly isLogWanted: boolean }): Promise<Status>
  publish(call: Omit<PublishCall, 'newLease'>): Promise<PublishAnswer>
  published(end: PublishEnd): Promise<object | null>
  hold(hold: HoldBody): Promise<HoldAnswer>
  release(release: ReleaseBody): Promise<object>
  forced(forced: Forced): Promise<object>
}
