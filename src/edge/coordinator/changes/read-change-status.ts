/** Tells which changes wait, and why. Pure. */
import type { Change, ChangeStanding } from './change-records.ts'
import type { ChangeStatus, Status } from '../../../domain/wire/coordinator-status.ts'
import type { SqlChanges } from './sql-changes.ts'

/** What the status tells of changes. */
export interface ChangeFacts {
  readonly standing: ChangeStanding
  /** Number of sellers that wait or are sent. */
  readonly sellers: number
  /** Arrival of the oldest notice that is not answered. */
  readonly oldest: number | null
  /** Some of them. */
  readonly failed: readonly Change[]
  readonly large: readonly Change[]
  readonly counts: Readonly<Record<'failed' | 'held' | 'large', number>>
  /** The most messages in a row of one change that no consumer took in time. */
  readonly silent: number
}

/** Max changes that are listed. */
const MAX_LISTED = 100

export function readChangeFacts(changes: SqlChanges): ChangeFacts {
  const standing = changes.readStanding()
  return {
    standing,
    sellers: standing.waiting,
    ...changes.readWorst(),
    failed: changes.listSetBack('failed', MAX_LISTED),
    large: changes.listSetBack('large', MAX_LISTED),
    counts: {
      failed: changes.countSetBack('failed'),
      held: changes.countSetBack('held'),
      large: changes.countSetBack('large'),
    },
  }
}

/** `null` in a site whose changes are rendered by builders. */
export function formatChangeStatus(
  { standing, sellers, oldest, ...facts }: ChangeFacts,
  { needsBuilder, builder }: Pick<ChangeStatus, 'needsBuilder' | 'builder'>,
): ChangeStatus | null {
  if (!standing.isQueue) return null
  const { trouble, sent, taken } = standing
  const { counts, large, silent } = facts
  return {
    waiting: sellers,
    oldest: oldest === null ? null : formatTime(oldest),
    sent,
    held: counts.held,
    silent,
    taken: taken === null ? null : formatTime(taken),
    trouble:
      trouble === null
        ? null
        : {
            since: formatTime(trouble.since),
            reason: trouble.reason,
            permanent: trouble.isPermanent,
            tries: trouble.tries,
            next: formatTime(trouble.retryAt),
          },
    large: counts.large,
    needsBuilder,
    builder,
    left: large.map(({ name, setback }) => ({ seller: name, reason: setback?.reason ?? '' })),
  }
}

export function formatFailed({ name, at, setback }: Change): Status['failures'][number] {
  return {
    seller: name,
    reason: setback?.reason ?? '',
    attempts: setback?.attempts ?? 0,
    since: formatTime(setback?.since ?? at),
    next: formatTime(at),
  }
}

function formatTime(time: number): string {
  return new Date(time).toISOString()
}
