/** Records what was put into the store, or seen there. A record never goes back to an older version. Pure. */
import { HOME_OBJECT } from '../../../domain/objects/object-data.ts'
import type { Ledger, Moment } from '../ledger.ts'
import type { SettledObject } from '../object-ledger.ts'
import type { ObjectRecord, ObjectRecords, ObjectStanding, ObjectStep, Totals } from './object-records.ts'
import { addTotals, countObject, NOTHING, subtractTotals } from './object-records.ts'

export interface SettleCall {
  /** Distinct names. */
  readonly objects: readonly LocatedObject[]
  /** The objects were put just now. */
  readonly isPut: boolean
}

export interface LocatedObject extends SettledObject {
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
    if (object.name === HOME_OBJECT) continue
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

/**
 * Returns the sequence of the change that an object put now answers: a sequence is the time of its notice. A change after
 * the running build's claim waits for the next one.
 */
export function findAccepted(
  { standing, findChange }: Pick<Ledger, 'standing' | 'findChange'>,
  seller: string,
): number | null {
  const changed = findChange(seller)
  const { published, lease } = standing
  if (changed === null || changed <= published) return null
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
