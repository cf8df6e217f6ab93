/** Computes when the coordinator sends changes next, or ends their leases. Pure. */
import type { ChangeStanding } from './change-records.ts'
import { MAX_SENT } from './send-changes.ts'

/** `due`: when the next message is due. `end`: when the next lease ends. `null` for never. */
export function findChangeTime(
  { sent, trouble }: ChangeStanding,
  { due, end }: { readonly due: number | null; readonly end: number | null },
): number | null {
  const next =
    due === null || (trouble === null && sent >= MAX_SENT) ? null : Math.max(due, trouble?.retryAt ?? 0)
  return next === null || end === null ? (next ?? end) : Math.min(next, end)
}
