/** Records a version that was put live without a lease, while the coordinator could not be asked. Pure. */
import type { Forced } from '../../domain/wire/calls.ts'
import type { AuditEntry, Ledger, Moment, LedgerStep } from './ledger.ts'
import type { Published, Publishing } from './publishing.ts'
import { replaceLive, settlePublishing } from './publishing.ts'

/**
 * A hold stays. A build follows, since the version may be older than the changes that were published. A repeated report
 * is not logged again.
 */
export function recordForced(ledger: Ledger, forced: Forced, { now }: Moment): LedgerStep<object> {
  const { version, sequence, reason, by, at } = forced
  const { standing } = ledger
  const before = settlePublishing(standing.publishing, now)
  const time = at === null ? now : Math.min(now, Date.parse(at))
  const entry: AuditEntry = { at: time, action: 'forced', by, version, reason }
  const [last] = ledger.listLog()
  const isRepeated = last?.action === 'forced' && last.version === version && last.reason === reason
  const publishing = putLive(before, { version, sequence, at: time })
  const unclaimed = { first: standing.unclaimed?.first ?? now, last: now }
  return {
    changes: { standing: { ...standing, publishing, unclaimed }, ...(isRepeated ? {} : { entry }) },
    answer: {},
  }
}

/** What may have gone live after the forced version stays doubtful, so that nothing older can replace it. */
function putLive(before: Publishing, forced: Published): Publishing {
  const { live, doubtful } = before
  const isReplaced = live !== null && live.version !== forced.version && live.at > forced.at
  if (isReplaced) return forced.sequence > live.sequence ? { ...before, doubtful: forced } : before
  const next = replaceLive(before, forced)
  const isLater = doubtful !== null && doubtful.version !== forced.version && doubtful.at > forced.at
  return isLater && next.doubtful === null ? { ...next, doubtful } : next
}
