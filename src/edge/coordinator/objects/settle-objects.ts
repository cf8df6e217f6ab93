/** Records objects that were put into the store, or seen there. An older version never replaces a newer one. */
import type { Ledger, Moment } from '../ledger.ts'
import type { KnownObject, SettledObject } from '../object-ledger.ts'
import { countObject, NOTHING } from './object-row.ts'

const MAX_LATENCIES = 100

interface SettleCall {
  /** Objects with distinct names. */
  readonly objects: readonly LocatedObject[]
  /** True if the objects were put just now, false if they were only seen in the store. */
  readonly isPut: boolean
}

interface LocatedObject extends SettledObject {
  readonly bucket: number
}

export function settleObjects(ledger: Ledger, { objects, isPut }: SettleCall, moment: Moment): void {
  for (const object of objects) {
    const isNewer = keepNewer(ledger, object)
    if (isPut) notePut(ledger, { name: object.name, isNewer }, moment)
  }
}

/**
 * Records that these objects are missing from the store, except those that were put since. A missing object keeps its
 * version, so that a late report cannot bring it back.
 */
export function forgetMissing(ledger: Ledger, missing: readonly KnownObject[]): void {
  for (const { name, version } of missing) {
    const known = ledger.findObject(name)
    if (known?.version === version) ledger.keepObject({ ...known, ...NOTHING, updated: '' })
  }
}

function keepNewer(ledger: Ledger, object: LocatedObject): boolean {
  const { name, version, bucket, updated } = object
  const known = ledger.findObject(name)
  if (known !== null && known.version >= version) return false
  const guard = { loss: known?.loss ?? null, removal: known?.removal ?? null }
  ledger.keepObject({ name, version, bucket, updated, ...countObject(object), ...guard })
  return true
}

/**
 * Records that a builder's put made an accepted change live, and how long that took: the sequence of a change is
 * approximately the time of its notice. Ignores changes that arrived after the running build's claim.
 */
function notePut(
  ledger: Ledger,
  { name, isNewer }: { readonly name: string; readonly isNewer: boolean },
  { now }: Moment,
): void {
  const row = ledger.findRow(name)
  const { published, lease } = ledger.readStanding()
  const isAnswered =
    row !== null &&
    isNewer &&
    row.shown === null &&
    row.changed > published &&
    (lease === null || row.changed <= lease.upTo)
  if (isAnswered) {
    ledger.keepRow({ ...row, shown: now })
    noteLatency(ledger, now - row.changed)
  }
  ledger.update({ lastPut: now })
}

/** Adds a latency to the standing, which each put writes anyway: a table of latencies would cost reads of its rows. */
function noteLatency(ledger: Pick<Ledger, 'readStanding' | 'update'>, time: number): void {
  const { latencies } = ledger.readStanding()
  ledger.update({ latencies: [...latencies.slice(1 - MAX_LATENCIES), Math.max(0, time)] })
}
