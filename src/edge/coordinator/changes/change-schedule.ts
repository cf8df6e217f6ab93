/** Computes when the coordinator sends changes next, or ends their leases. Pure. */
import type { ChangeStanding } from './change-records.ts'
import { MAX_SENT } from './send-changes.ts'

/** `null` for never. */
export interface NextTimes {
  /** When the next message is due. */
  readonly due: number | null
  /** The same of a seller other than the only one in trouble. */
  readonly other: number | null
  /** When the next lease ends. */
  readonly end: number | null
}

export function findChangeTime(
  { sent, trouble }: ChangeStanding,
  { due, other, end }: NextTimes,
): number | null {
  const isFull = trouble === null && sent >= MAX_SENT
  const next = due === null || isFull ? Infinity : Math.max(due, trouble?.retryAt ?? 0)
  const time = Math.min(next, other ?? Infinity, end ?? Infinity)
  return time === Infinity ? null : time
}
