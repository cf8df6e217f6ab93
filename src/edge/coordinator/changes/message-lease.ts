/** Leases of messages. A message without a report is sent again when its lease ends. */
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { FeedRow } from '../feed-row.ts'
import type { Moment } from '../ledger.ts'

/** While this many messages are under lease, no change is sent for the first time. */
export const MAX_SENT = 1_000

/** Value of `random` that adds no jitter, so that leases are exactly as long as the settings say. */
const NO_JITTER = 0.5

/** Returns whether the last message covers all notices and more than half of its first lease remains. */
export function isFresh({ phase, at, asked, changed, silent }: FeedRow, { now, settings }: Moment): boolean {
  return (
    phase === 'sent' && silent === 0 && asked?.upTo === changed && at - now > settings.changeLease.first / 2
  )
}

/** Returns the row with the lease of a message that is sent at `now`. */
export function giveLease(row: FeedRow, { now, settings }: Moment): FeedRow {
  const time = growDelay(settings.changeLease, row.silent + 1, NO_JITTER)
  const asked = { upTo: row.changed, fresh: row.fresh }
  return { ...row, fresh: null, phase: 'sent', at: now + time, asked }
}
