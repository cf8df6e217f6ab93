/** Handles a builder's final report: failed sellers stay pending, all others are published. Pure. */
import type { Failure, Ledger, Lease, Moment, LedgerStep, Standing } from './ledger.ts'
import { failBuild } from './schedule.ts'
import { growDelay } from '../../domain/wire/backoff.ts'
import type { BuildReport, MetStrangers, ReportAnswer } from '../../domain/wire/calls.ts'

/** Sellers that failed before or in this build, by result. */
interface Outcomes {
  readonly failures: readonly Failure[]
  readonly recovered: readonly string[]
  /** Failed before and not part of this build; kept unchanged. */
  readonly untouched: readonly Failure[]
}

interface Finished extends Outcomes, Pick<Standing, 'photos'> {
  readonly strangers: MetStrangers | undefined
}

/** Returns `null` when the lease has expired or the report belongs to another build. */
export function finishBuild(
  ledger: Ledger,
  report: BuildReport,
  moment: Moment,
): LedgerStep<ReportAnswer | null> {
  const { standing } = ledger
  const { lease, pending } = standing
  // A repeated report: the builder did not receive the first answer.
  if (lease?.id !== report.lease)
    return { changes: {}, answer: standing.reported === report.lease ? { pending } : null }
  if ('error' in report) {
    const next = { ...failBuild(standing, moment, report.error), reported: lease.id }
    return { changes: { standing: next }, answer: { pending } }
  }
  if (report.upTo !== lease.upTo) return { changes: {}, answer: null }
  const failed = new Map(report.failed.map(({ seller, reason }) => [seller, reason]))
  const outcomes = sortOutcomes(ledger, lease, failed, moment)
  const { photos = standing.photos, strangers } = report
  return publish(ledger, lease, { ...outcomes, photos, strangers }, moment)
}

function sortOutcomes(
  ledger: Ledger,
  lease: Lease,
  failed: ReadonlyMap<string, string>,
  moment: Moment,
): Outcomes {
  const before = ledger.listFailures()
  const given = before.filter((failure) => failure.lease === lease.id)
  // A seller that was not part of the claim keeps its retry time, even if the builder reports it.
  const untouched = before.filter((failure) => failure.lease !== lease.id)
  const reported = [...failed].filter(([seller]) => untouched.every((failure) => failure.seller !== seller))
  return {
    failures: reported.map(([seller, reason]) => createFailure(ledger, seller, reason, moment)),
    recovered: given.map(({ seller }) => seller).filter((seller) => !failed.has(seller)),
    untouched,
  }
}

function publish(
  ledger: Ledger,
  { id, upTo, isFull, since }: Lease,
  { failures, recovered, untouched, photos, strangers }: Finished,
  { now }: Moment,
): LedgerStep<ReportAnswer> {
  const { standing } = ledger
  const left = [...failures, ...untouched]
  const isChangedSince = (seller: string): boolean => (ledger.findChange(seller) ?? 0) > upTo
  const isCounted = (seller: string): boolean => isChangedSince(seller) && !ledger.isQueued(seller)
  // States older than this full read need one too: it may have found changes for which no notice was sent.
  // A full read requested since the claim stays pending.
  const full = isFull ? Math.max(standing.full, upTo) : standing.full
  const pending = ledger.countChanged(upTo) + left.filter(({ seller }) => !isCounted(seller)).length
  return {
    changes: {
      standing: {
        ...standing,
        published: upTo,
        full,
        pending,
        oldest: standing.unclaimed?.first ?? null,
        retryAt: left.length === 0 ? null : Math.min(...left.map(({ retryAt }) => retryAt)),
        lease: null,
        reported: id,
        setbacks: 0,
        notBefore: 0,
        result: { at: now, time: now - since, isFull, failed: failures.length, error: null },
        lastFull: isFull ? now : standing.lastFull,
        photos,
      },
      failures,
      recovered,
      // States built while the seller failed contain its old page, so its recovery counts as a change.
      changed: { sellers: recovered.filter((seller) => !isChangedSince(seller)), sequence: upTo },
      ...(strangers && { met: { ...strangers, sequence: upTo } }),
      // A state that lacks an older change is given everything.
      forgetAbsent: Math.min(upTo, full),
    },
    answer: { pending },
  }
}

function createFailure(
  ledger: Ledger,
  seller: string,
  reason: string,
  { now, random, settings }: Moment,
): Failure {
  const before = ledger.findFailure(seller)
  const attempts = (before?.attempts ?? 0) + 1
  return {
    seller,
    reason,
    attempts,
    since: before?.since ?? Math.min(ledger.findChange(seller) ?? now, now),
    retryAt: now + growDelay(settings.sellerRetry, attempts, random),
    lease: '',
  }
}
