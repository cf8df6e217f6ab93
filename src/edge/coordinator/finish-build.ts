/** A builder reports how its build ended: only what it could not make stays. Pure. */
import type { Failure, Ledger, Lease, Moment, LedgerStep } from './ledger.ts'
import { endInVain } from './schedule.ts'
import { growDelay } from '../../domain/wire/backoff.ts'
import type { BuildReport, ReportAnswer } from '../../domain/wire/calls.ts'

/** How the sellers stand that had failed, or fail now. */
interface Outcomes {
  readonly failures: readonly Failure[]
  readonly recovered: readonly string[]
  /** Not handed out with this build: they stay as they are. */
  readonly untouched: readonly Failure[]
}

/** Answers `null` when the lease has ended otherwise, or the report is about another build. */
export function finishBuild(
  ledger: Ledger,
  report: BuildReport,
  moment: Moment,
): LedgerStep<ReportAnswer | null> {
  const { standing } = ledger
  const { lease, pending } = standing
  // Told once already: the answer did not get through.
  if (lease?.id !== report.lease)
    return { changes: {}, answer: standing.reported === report.lease ? { pending } : null }
  if ('error' in report) {
    const next = { ...endInVain(standing, moment, report.error), reported: lease.id }
    return { changes: { standing: next }, answer: { pending } }
  }
  if (report.upTo !== lease.upTo) return { changes: {}, answer: null }
  const failed = new Map(report.failed.map(({ seller, reason }) => [seller, reason]))
  return publish(ledger, lease, sortOutcomes(ledger, lease, failed, moment), moment)
}

function sortOutcomes(
  ledger: Ledger,
  lease: Lease,
  failed: ReadonlyMap<string, string>,
  moment: Moment,
): Outcomes {
  const before = ledger.listFailures()
  const given = before.filter((failure) => failure.lease === lease.id)
  // Whoever was not handed out keeps its turn, also when the builder tried it nevertheless.
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
  { failures, recovered, untouched }: Outcomes,
  { now }: Moment,
): LedgerStep<ReportAnswer> {
  const { standing } = ledger
  const left = [...failures, ...untouched]
  const isChangedSince = (seller: string): boolean => (ledger.findChange(seller) ?? 0) > upTo
  const pending = ledger.countChanged(upTo) + left.filter(({ seller }) => !isChangedSince(seller)).length
  return {
    changes: {
      standing: {
        ...standing,
        published: upTo,
        // Whoever has an older state lacks what this read found, whether a notice told of it or not.
        full: isFull ? upTo : standing.full,
        pending,
        oldest: standing.unclaimed?.first ?? null,
        retryAt: left.length === 0 ? null : Math.min(...left.map(({ retryAt }) => retryAt)),
        lease: null,
        reported: id,
        setbacks: 0,
        notBefore: 0,
        result: { at: now, time: now - since, isFull, failed: failures.length, error: null },
      },
      failures,
      recovered,
      // States made while it failed hold its old page: for them it has changed now.
      changed: { sellers: recovered.filter((seller) => !isChangedSince(seller)), sequence: upTo },
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
