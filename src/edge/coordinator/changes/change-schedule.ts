/** Computes when the coordinator sends changes next, or ends their leases. Pure. */
import type { ChangeStanding } from './change-records.ts'
import { MAX_BEFORE_RETRIES, MAX_SENT } from './send-changes.ts'

/** `null` for never. */
export interface NextTimes {
  /** When the next message is due, of a change that is sent for the first time. */
  readonly due: number | null
  /** The same of one that is tried again. */
  readonly retry: number | null
  /** The same of a seller other than the only one in trouble. */
  readonly other: number | null
  /** When the next lease ends, or an absent seller is forgotten. */
  readonly end: number | null
}

export function findChangeTime(
  { sent, trouble }: ChangeStanding,
  { due, retry, other, end }: NextTimes,
): number | null {
  const isFull = (limit: number): boolean => trouble === null && sent >= limit
  const fresh = due === null || isFull(MAX_SENT) ? Infinity : due
  const again = retry === null || isFull(MAX_BEFORE_RETRIES) ? Infinity : retry
  const next = Math.max(Math.min(fresh, again), trouble?.retryAt ?? 0)
  const time = Math.min(next, other ?? Infinity, end ?? Infinity)
  return time === Infinity ? null : time
}
