/** Records what was put into the store, or seen there. A record never goes back to an older version. Pure. */
import type { Ledger, Moment } from '../ledger.ts'
import type { KnownObject, SettledObject } from '../object-ledger.ts'
import type { ObjectRecord, ObjectRecords, ObjectStanding, ObjectStep, Totals } from './object-records.ts'
import { addTotals, countObject, NOTHING, subtractTotals } from './object-records.ts'

export interface SettleCall {
  /** Distinct names. */
  readonly objects: readonly LocatedObject[]
  /** The objects were put just now. */
  readonly isPut: boolean
}

interface LocatedObject extends SettledObject {
  readonly bucket: number
  /** Sequence of the accepted change that a put answers; `null` for none. */
  readonly accepted: number | null
}

export function settleObjects(
  records: ObjectRecords,
  { objects, isPut }: SettleCall,
  { now }: Pick<Moment, 'now'>,
): ObjectStep<null> {
  const kept: ObjectRecord[] = []
  const latencies: number[] = []
  let { standing } = records
  for (const object of objects) {
    const known = records.findObject(object.name)
    if (known !== null && known.version >= object.version) continue
    const counts = countObject(object)
    const answered = known?.answered ?? 0
    const accepted = isPut && (object.accepted ?? 0) > answered ? object.accepted : null
    if (accepted !== null) latencies.push(Math.max(0, now - accepted))
    kept.push(createRecord(object, counts, accepted ?? answered))
    standing = countOn(
      standing,
      subtractTotals(counts, known ?? NOTHING),
      records.findLoss(object.name) !== null,
    )
  }
  const lastPut = isPut && objects.length > 0 ? now : standing.lastPut
  return { changes: { objects: kept, latencies, standing: { ...standing, lastPut } }, answer: null }
}

/** Objects that were put since are left alone. What is gone keeps its version, so that no late report brings it back. */
export function forgetMissing(records: ObjectRecords, missing: readonly KnownObject[]): ObjectStep<null> {
  const kept: ObjectRecord[] = []
  let { standing } = records
  for (const { name, version } of missing) {
    const known = records.findObject(name)
    if (known === null || known.version !== version) continue
    kept.push({ ...known, ...NOTHING, updated: '' })
    standing = countOn(standing, subtractTotals(NOTHING, known), records.findLoss(name) !== null)
  }
  return { changes: { objects: kept, standing }, answer: null }
}

/**
 * Returns the sequence of the change that an object put now answers: a sequence is the time of its notice. A change after
 * the running build's claim waits for the next one. One that the Worker renders itself is answered by the end of its message:
 * nothing else tells whether the data was read after the notice.
 */
export function findAccepted(
  { standing, findChange, isQueued }: Pick<Ledger, 'standing' | 'findChange' | 'isQueued'>,
  seller: string,
): number | null {
  const changed = findChange(seller)
  const { published, lease } = standing
  if (changed === null || changed <= published || isQueued(seller)) return null
  return lease !== null && changed > lease.upTo ? null : changed
}

function createRecord(
  { name, version, bucket, updated }: LocatedObject,
  counts: Totals,
  answered: number,
): ObjectRecord {
  return { name, version, bucket, updated, answered, ...counts }
}

function countOn(standing: ObjectStanding, difference: Totals, hasLoss: boolean): ObjectStanding {
  const totals = addTotals(standing.totals, difference)
  return { ...standing, totals, before: hasLoss ? standing.before : addTotals(standing.before, difference) }
}
