/**
 * Implements the calls to the coordinator on the coordinator's own database. Each call that writes runs one step (a
 * function that reads and changes the ledger) in one transaction.
 */
import { findBucket } from '../../../domain/objects/object-key.ts'
import type { Ledger, Moment, LedgerStep } from '../ledger.ts'
import type { ObjectLedger, PermitCall } from '../object-ledger.ts'
import { permitRemovals, retryHeld } from '../objects/permit-removals.ts'
import { readSiteState } from '../objects/read-site-state.ts'
import { forgetMissing, settleObjects } from '../objects/settle-objects.ts'
import { settleLease } from '../schedule.ts'
import type { Sql } from './sql.ts'
import { openLedger } from './sql-ledger.ts'

interface LocalOptions {
  readonly sql: Sql
  readonly now: number
  readonly transact: <Answer>(work: (moment: Moment) => Answer) => Answer
}

export interface LocalLedger extends ObjectLedger {
  /** Runs one step, and stores what it changes. */
  take<Event, Answer>(step: LedgerStep<Event, Answer>, event: Event): Answer
  /** Calls `look`, which must only read, without a transaction. */
  read<Answer>(look: (ledger: Ledger) => Answer): Answer
}

/** Creates the tables on first use. */
export function openLocalLedger({ sql, now, transact }: LocalOptions): LocalLedger {
  const begin = openLedger(sql, now)
  const take: LocalLedger['take'] = (step, event) =>
    transact((moment) => {
      const ledger = begin()
      settleLease(ledger, moment)
      const answer = step(ledger, event, moment)
      ledger.flush()
      return answer
    })
  const read: LocalLedger['read'] = (look) => look(begin())
  return {
    take,
    read,
    permit: async (call) => take(permit, call),
    settle: async (objects, cause) => {
      if (cause === 'missing') return take(forgetMissing, objects)
      const buckets = await Promise.all(objects.map(({ name }) => findBucket(name)))
      const located = objects.map((object, index) => ({ ...object, bucket: buckets[index] ?? 0 }))
      take(settleObjects, { objects: located, isPut: cause === 'put' })
    },
    readKnown: async (bucket) => read((ledger) => ledger.listKnown(bucket)),
    readListed: async (bucket) => read((ledger) => ledger.listListed(bucket)),
    readBuckets: async () => read((ledger) => ledger.listBuckets()),
    readSiteState: async () => read(readSiteState),
  }
}

function permit(ledger: Ledger, call: PermitCall, moment: Moment): ReturnType<typeof permitRemovals> {
  const { hold } = ledger.readStanding()
  const permission = permitRemovals(ledger, call, moment)
  // A builder may permit removals with each of its many pushes: only the one that ends the hold moves the retries.
  const isFirst = call.objects.length === 0 || hold !== null
  if (call.isShrinkAllowed && isFirst) retryHeld(ledger, moment)
  return permission
}
