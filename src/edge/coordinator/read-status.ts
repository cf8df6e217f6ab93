/** Formats the coordinator's status for the maintainer. Times are RFC 3339, durations milliseconds. */
import { formatInstant } from './format-instant.ts'
import type { AuditEntry, Ledger, Moment, Standing } from './ledger.ts'
import { settlePublishing } from './publishing.ts'
import { findDispatchTime } from './schedule.ts'
import { listFailures, readChangeStatus } from './changes/read-change-status.ts'
import { listOften } from './changes/seller-pace.ts'
import type { DispatchSetting, DispatchTarget } from './dispatch/dispatch-target.ts'
import { formatDispatchTarget, formatTarget } from './dispatch/dispatch-target.ts'
import { findOldest, readObjectStatus } from './objects/read-site-state.ts'
import type { LogEntry, Status } from '../../domain/wire/coordinator-status.ts'

interface StatusCall {
  readonly target: DispatchTarget
  readonly problems: readonly string[]
  readonly isLogWanted: boolean
}

/** Max length of the list of sellers who change often. */
const MAX_OFTEN = 10

export function readStatus(
  ledger: Ledger,
  { target, problems, isLogWanted }: StatusCall,
  moment: Moment,
): Status {
  const standing = ledger.readStanding()
  const needsBuilder = standing.pending > 0 || standing.full > standing.published
  const wrong = target.kind === 'none' && target.problem !== null ? [target.problem] : []
  return {
    now: formatInstant(moment.now),
    pending: standing.pending + standing.waiting,
    full: standing.full > standing.published,
    oldest: formatInstant(findOldest(ledger)),
    sequence: standing.last,
    published: standing.published,
    running: formatRunning(standing),
    waiting: standing.unclaimed !== null,
    result: formatResult(standing),
    setbacks: standing.setbacks,
    failed: standing.broken + standing.failed,
    failures: listFailures(ledger),
    dispatch: formatDispatch(standing, { target, isQueue: standing.isQueue }, moment),
    publishing: formatPublishing(standing, moment),
    often: [...listOften(ledger, moment, MAX_OFTEN)],
    lastNotice: formatInstant(standing.lastNotice),
    lastFull: formatInstant(standing.lastFull),
    photos: standing.photos,
    objects: readObjectStatus(ledger),
    changes: readChangeStatus(ledger, { needsBuilder, builder: formatTarget(target) }),
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

function formatDispatch(
  standing: Standing,
  { target, isQueue }: DispatchSetting,
  { settings }: Moment,
): Status['dispatch'] {
  const { lease, dispatch } = standing
  const isNext = lease === null && target.kind !== 'none'
  return {
    target: formatDispatchTarget({ target, isQueue }),
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
