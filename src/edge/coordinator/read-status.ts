/** Formats the coordinator's status for the maintainer. Times are RFC 3339, durations milliseconds. */
import type { FeedRow } from './feed-row.ts'
import { formatInstant } from './format-instant.ts'
import type { AuditEntry, Ledger, Moment, Standing } from './ledger.ts'
import { settlePublishing } from './publishing.ts'
import { findDispatchTime } from './schedule.ts'
import type { DispatchTarget } from './dispatch/dispatch-target.ts'
import { formatTarget } from './dispatch/dispatch-target.ts'
import type { LogEntry, Status } from '../../domain/wire/coordinator-status.ts'

interface StatusCall {
  readonly target: DispatchTarget
  readonly problems: readonly string[]
  readonly isLogWanted: boolean
}

/** Max length of the list of failing sellers. */
const MAX_LISTED = 100

export function readStatus(
  ledger: Ledger,
  { target, problems, isLogWanted }: StatusCall,
  moment: Moment,
): Status {
  const standing = ledger.readStanding()
  const wrong = target.kind === 'none' && target.problem !== null ? [target.problem] : []
  return {
    now: formatInstant(moment.now),
    pending: standing.pending,
    full: standing.full > standing.published,
    oldest: formatInstant(findOldest(standing.oldest, ledger.findOldestFailure())),
    sequence: standing.last,
    published: standing.published,
    running: formatRunning(standing),
    waiting: standing.unclaimed !== null,
    result: formatResult(standing),
    setbacks: standing.setbacks,
    failed: standing.failing,
    failures: ledger.listFailing(MAX_LISTED).flatMap(formatFailure),
    dispatch: formatDispatch(standing, target, moment),
    publishing: formatPublishing(standing, moment),
    lastNotice: formatInstant(standing.lastNotice),
    lastFull: formatInstant(standing.lastFull),
    photos: standing.photos,
    log: isLogWanted ? ledger.listLog().map(formatEntry) : null,
    problems: [...problems, ...wrong],
  }
}

function formatRunning({ lease }: Standing): Status['running'] {
  if (lease === null) return null
  const { builder, isFull, since, until } = lease
  return { builder, full: isFull, since: formatInstant(since), until: formatInstant(until) }
}

function formatResult({ result }: Standing): Status['result'] {
  if (result === null) return null
  const { at, time, isFull, failed, error } = result
  return { at: formatInstant(at), ms: time, full: isFull, failed, error }
}

/** Returns the earlier of these times; `null` if both are `null`. */
function findOldest(waiting: number | null, failing: number | null): number | null {
  if (waiting === null || failing === null) return waiting ?? failing
  return Math.min(waiting, failing)
}

function formatFailure({ seller, failure }: FeedRow): Status['failures'] {
  if (failure === null) return []
  const { reason, attempts, since, retryAt } = failure
  return [{ seller, reason, attempts, since: formatInstant(since), next: formatInstant(retryAt) }]
}

function formatDispatch(
  standing: Standing,
  target: DispatchTarget,
  { settings }: Moment,
): Status['dispatch'] {
  const { lease, dispatch } = standing
  const isNext = lease === null && target.kind !== 'none'
  return {
    target: formatTarget(target),
    sent: formatInstant(dispatch.sentAt),
    next: formatInstant(isNext ? findDispatchTime(standing, settings) : null),
    tries: dispatch.tries,
    error:
      dispatch.error === null
        ? null
        : { at: formatInstant(dispatch.error.at), reason: dispatch.error.reason },
  }
}

function formatPublishing({ publishing }: Standing, { now }: Moment): Status['publishing'] {
  const { live, doubtful, lease, held } = settlePublishing(publishing, now)
  return {
    live: live === null ? null : { ...live, at: formatInstant(live.at) },
    doubtful: doubtful?.version ?? null,
    leased: lease?.version ?? null,
    held: held === null ? null : { ...held, since: formatInstant(held.since) },
  }
}

function formatEntry({ at, ...entry }: AuditEntry): LogEntry {
  return { ...entry, at: formatInstant(at) }
}
