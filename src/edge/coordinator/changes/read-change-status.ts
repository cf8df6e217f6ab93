/** Reports which changes wait, and why. */
import type { FeedRow } from '../feed-row.ts'
import { formatInstant } from '../format-instant.ts'
import type { ChangeStatus, Status } from '../../../domain/wire/coordinator-status.ts'
import type { Ledger } from '../ledger.ts'

/** Max sellers per list. */
const MAX_LISTED = 100

/** Returns `null` if builders render the changes. */
export function readChangeStatus(
  ledger: Ledger,
  { needsBuilder, builder }: Pick<ChangeStatus, 'needsBuilder' | 'builder'>,
): ChangeStatus | null {
  const { isQueue, waiting, sent, held, large, taken, trouble } = ledger.readStanding()
  if (!isQueue) return null
  const oldest = ledger.findOldest()
  return {
    waiting,
    oldest: formatInstant(oldest),
    sent: Math.max(0, sent - ledger.outbox.size),
    held,
    silent: ledger.findSilent(),
    taken: formatInstant(taken),
    trouble:
      trouble === null
        ? null
        : {
            since: formatInstant(trouble.since),
            reason: trouble.reason,
            permanent: trouble.isPermanent,
            tries: trouble.tries,
            next: formatInstant(trouble.retryAt),
          },
    large,
    needsBuilder,
    builder,
    left: ledger
      .listSetBack('large', MAX_LISTED)
      .map(({ seller, setback }) => ({ seller, reason: setback?.reason ?? '' })),
  }
}

/** Lists failing pages: first those that the Worker renders itself, then those of builders. */
export function listFailures(ledger: Ledger): Status['failures'] {
  const rows = [...ledger.listSetBack('failed', MAX_LISTED), ...ledger.listSetBack('broken', MAX_LISTED)]
  return rows.slice(0, MAX_LISTED).map(formatFailure)
}

function formatFailure({ seller, at, setback }: FeedRow): Status['failures'][number] {
  return {
    seller,
    reason: setback?.reason ?? '',
    attempts: setback?.attempts ?? 0,
    since: formatInstant(setback?.since ?? at),
    next: formatInstant(at),
  }
}
