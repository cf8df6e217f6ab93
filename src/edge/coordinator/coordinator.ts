/** What a site's coordinator is asked. */

import type {
  CatalogueNotice,
  NoticeAnswer,
  Claim,
  ClaimAnswer,
  RenewAnswer,
  BuildReport,
  ReportAnswer,
  PublishCall,
  PublishAnswer,
  PublishEnd,
  Hold,
  HoldAnswer,
} from '../../domain/wire/calls.ts'
import type { Status } from '../../domain/wire/coordinator-status.ts'

/** The one coordinator of a site. What it answers is stored durably; it rejects when it could not store. */
export interface Coordinator {
  accept(notice: CatalogueNotice): Promise<NoticeAnswer>
  claim(claim: Omit<Claim, 'newLease'>): Promise<ClaimAnswer | null>
  renew(lease: string): Promise<RenewAnswer | null>
  report(report: BuildReport): Promise<ReportAnswer | null>
  status(): Promise<Status>
  publish(call: Omit<PublishCall, 'newLease'>): Promise<PublishAnswer>
  published(end: PublishEnd): Promise<object | null>
  hold(hold: Hold): Promise<HoldAnswer>
  release(): Promise<object>
}
