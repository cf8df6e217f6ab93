/** Formats the coordinator's status for the maintainer. Times are RFC 3339, durations milliseconds. */
import type { AuditEntry, Failure, Ledger, Moment, Standing, LedgerStep } from './ledger.ts'
import { settlePublishing } from './publishing.ts'
import { findDispatchTime } from './schedule.ts'
import type { ChangeFacts } from './changes/read-change-status.ts'
import { formatChangeStatus, formatFailed } from './changes/read-change-status.ts'
import { listOften } from './changes/seller-pace.ts'
import type { DispatchSetting, DispatchTarget } from './dispatch/dispatch-target.ts'
import { formatDispatchTarget, formatTarget } from './dispatch/dispatch-target.ts'
import type { LogEntry, ObjectStatus, Status } from '../../domain/wire/coordinator-status.ts'

export interface StatusCall {
  readonly target: DispatchTarget
  readonly problems: readonly string[]
  /** `null` for a site without objects. */
  readonly objects: ObjectStatus | null
  readonly changes: ChangeFacts
  readonly isLogWanted: boolean
}

/** Max failures listed in the status. */
const MAX_FAILURES = 100
/** The same of sellers who change often. */
const MAX_OFTEN = 10

export function readStatus(
  ledger: Ledger,
  { target, problems, objects, changes, isLogWanted }: StatusCall,
  moment: Moment,
): LedgerStep<Status> {
  const { standing } = ledger
  const failures = ledger.listFailures()
  const needsBuilder = standing.pending > 0 || standing.full > standing.published
  const wrong = target.kind === 'none' && target.problem !== null ? [target.problem] : []
  const status: Status = {
    now: formatTime(moment.now),
    pending: standing.pending + changes.sellers,
    full: standing.full > standing.published,
    oldest: formatMaybe(findOldest(standing, failures, changes.oldest)),
    sequence: standing.last,
    published: standing.published,
    running: formatRunning(standing),
    waiting: standing.unclaimed !== null,
    result: formatResult(standing),
    setbacks: standing.setbacks,
    failed: failures.length + changes.counts.failed,
    failures: [...changes.failed.map(formatFailed), ...failures.map(formatFailure)].slice(0, MAX_FAILURES),
    dispatch: formatDispatch(standing, { target, isQueue: changes.standing.isQueue }, moment),
    publishing: formatPublishing(standing, moment),
    often: [...listOften(ledger, moment, MAX_OFTEN)],
    lastNotice: formatMaybe(standing.lastNotice),
    lastFull: formatMaybe(standing.lastFull),
    photos: standing.photos,
    objects,
    changes: formatChangeStatus(changes, { needsBuilder, builder: formatTarget(target) }),
    log: isLogWanted ? ledger.listLog().map(formatEntry) : null,
    problems: [...problems, ...wrong],
  }
  return { changes: {}, answer: status }
}

/** Returns the arrival of the oldest change that is not live. `change`: of those that the Worker renders itself. */
export function findOldest(
  { oldest }: Standing,
  failures: readonly Failure[],
  change: number | null,
): number | null {
  const times = [...[oldest, change].filter((time) => time !== null), ...failures.map(({ since }) => since)]
  return times.length === 0 ? null : Math.min(...times)
}

function formatRunning({ lease }: Standing): Status['running'] {
  if (lease === null) return null
  const { builder, isFull, since, until } = lease
  return { builder, full: isFull, since: formatTime(since), until: formatTime(until) }
}

function formatResult({ result }: Standing): Status['result'] {
  if (result === null) return null
  const { at, time, isFull, failed, error } = result
  return { at: formatTime(at), ms: time, full: isFull, failed, error }
}

function formatFailure({ seller, reason, attempts, since, retryAt }: Failure): Status['failures'][number] {
  return { seller, reason, attempts, since: formatTime(since), next: formatTime(retryAt) }
}

function formatDispatch(
  standing: Standing,
  { target, isQueue }: DispatchSetting,
  { settings }: Moment,
): Status['dispatch'] {
  const { lease, dispatch } = standing
  const isNext = lease === null && target.kind !== 'none'
  return {
    target: formatDispatchTarget({ target, isQueue }),
    sent: formatMaybe(dispatch.sentAt),
    next: formatMaybe(isNext ? findDispatchTime(standing, settings) : null),
    tries: dispatch.tries,
    error:
      dispatch.error === null ? null : { at: formatTime(dispatch.error.at), reason: dispatch.error.reason },
  }
}

function formatPublishing({ publishing }: Standing, { now }: Moment): Status['publishing'] {
  const { live, doubtful, held } = settlePublishing(publishing, now)
  return {
    live: live === null ? null : { ...live, at: formatTime(live.at) },
    doubtful: doubtful?.version ?? null,
    held: held === null ? null : { ...held, since: formatTime(held.since) },
  }
}

function formatEntry({ at, ...entry }: AuditEntry): LogEntry {
  return { ...entry, at: formatTime(at) }
}

function formatMaybe(time: number | null): string | null {
  return time === null ? null : formatTime(time)
}

function formatTime(time: number): string {
  return new Date(time).toISOString()
}
