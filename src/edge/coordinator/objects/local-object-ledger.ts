/** The calls about objects, carried out on the coordinator's own database. */
import type { ObjectStatus } from '../../../domain/wire/coordinator-status.ts'
import { findBucket } from '../../../domain/objects/object-key.ts'
import type { Ledger, Moment } from '../ledger.ts'
import type { ChangeLedger } from '../change-ledger.ts'
import type { ObjectLedger, SettledObject } from '../object-ledger.ts'
import type { SqlChanges } from '../changes/sql-changes.ts'
import { readChangeFacts } from '../changes/read-change-status.ts'
import type { SqlLedger } from '../sql-ledger.ts'
import type { ObjectRecords, ObjectStep } from './object-records.ts'
import { permitRemovals } from './permit-removals.ts'
import type { SiteFacts } from './read-site-state.ts'
import { formatObjectStatus, formatSiteState } from './read-site-state.ts'
import { findAccepted, forgetMissing, settleObjects } from './settle-objects.ts'
import type { SqlObjects } from './sql-objects.ts'
import { runObjectStep } from './sql-objects.ts'

export interface LocalOptions {
  readonly ledger: SqlLedger
  readonly objects: SqlObjects
  readonly changes: SqlChanges
  readonly noticeChanges: ChangeLedger['noticeChanges']
  /** Runs the work in one transaction. */
  readonly transact: <Answer>(work: (moment: Moment) => Answer) => Answer
}

/** The calls, and what the coordinator itself asks. */
export interface LocalObjectLedger extends ObjectLedger {
  /** `null` for a site without objects. */
  readStatus(): ObjectStatus | null
  /** Whether the guard holds removals back. */
  isHeld(): boolean
}

export function createObjectLedger(options: LocalOptions): LocalObjectLedger {
  const { ledger, objects, changes, transact } = options
  const take = <Event, Answer>(
    step: (records: ObjectRecords, event: Event, moment: Moment) => ObjectStep<Answer>,
    event: Event,
  ): Answer => transact((moment) => runObjectStep(objects, step, event, moment))
  const readLedger = (): Ledger => ({ ...ledger, standing: ledger.readStanding() })
  return {
    permit: async (call) => take(permitRemovals, call),
    settle: async (settled, cause) => {
      if (cause === 'missing') return void take(forgetMissing, settled)
      const buckets = await Promise.all(settled.map(({ name }) => findBucket(name)))
      const isPut = cause === 'put'
      const known = readLedger()
      const located = settled.map((object, index) => {
        const accepted = isPut ? findAccepted(known, object.name) : null
        return { ...object, bucket: buckets[index] ?? 0, accepted }
      })
      take(settleObjects, { objects: located, isPut })
      if (isPut) await noticeLate(settled, options)
    },
    readKnown: async (bucket) => objects.listKnown(bucket),
    readListed: async (bucket) => objects.listSellers(bucket),
    readBuckets: async () => objects.listBuckets(),
    readSiteState: async () =>
      formatSiteState({ ledger: readLedger(), changes: readChangeFacts(changes), ...readFacts(objects) }),
    readStatus: () => formatObjectStatus(readFacts(objects)),
    isHeld: () => objects.readStanding().hold !== null,
  }
}

/** Puts of sellers who were found absent before: their writers had read them earlier. */
async function noticeLate(
  settled: readonly SettledObject[],
  { changes, noticeChanges }: Pick<LocalOptions, 'changes' | 'noticeChanges'>,
): Promise<void> {
  const late = settled.filter(({ name, isGone }) => !isGone && changes.findChange(name)?.phase === 'absent')
  if (late.length > 0) await noticeChanges(late.map(({ name }) => name))
}

function readFacts(objects: SqlObjects): Pick<SiteFacts, 'objects' | 'latencies'> {
  return { objects: objects.readStanding(), latencies: objects.listLatencies() }
}
