/** Records what was put into the store, or seen there. A record never goes back to an older version. */
import { noticeSellers } from '../accept-notice.ts'
import { isOpen, isQueued } from '../feed-row.ts'
import type { Ledger, Moment } from '../ledger.ts'
import type { KnownObject, SettledObject } from '../object-ledger.ts'
import { countObject, NOTHING } from './object-row.ts'

/** Max changes whose latency is known. */
const MAX_LATENCIES = 100

export interface SettleCall {
  /** Distinct names. */
  readonly objects: readonly LocatedObject[]
  /** The objects were put just now. */
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
  if (isPut) noticeLate(ledger, objects, moment)
}

/**
 * Objects that were put since are left alone. A missing object keeps its version, so that no late report brings it
 * back.
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
 * A builder's put answers an accepted change, whose sequence is the time of its notice. A change
 * after the running build's claim waits for the next build. A change that the Worker renders is
 * answered by its message only: nothing else shows whether the data was read after the notice.
 */
function notePut(
  ledger: Ledger,
  { name, isNewer }: { readonly name: string; readonly isNewer: boolean },
  { now }: Moment,
): void {
  const row = ledger.findRow(name)
  if (row !== null && isOpen(row)) return
  const { published, lease } = ledger.readStanding()
  const isAnswered =
    row !== null &&
    isNewer &&
    row.shown === null &&
    row.changed > published &&
    !isQueued(row) &&
    (lease === null || row.changed <= lease.upTo)
  if (isAnswered) {
    ledger.keepRow({ ...row, shown: now })
    noteLatency(ledger, now - row.changed)
  } else ledger.update({ lastPut: now })
}

/** Stores the latency in the standing, which each put writes: a list would cost reads. */
export function noteLatency(ledger: Pick<Ledger, 'readStanding' | 'update'>, time: number): void {
  const { latencies } = ledger.readStanding()
  ledger.update({ latencies: [...latencies.slice(1 - MAX_LATENCIES), Math.max(0, time)] })
}

/** Notices sellers that were absent before this put, because its writer had read them earlier. */
function noticeLate(ledger: Ledger, objects: readonly LocatedObject[], moment: Moment): void {
  const late = objects.filter(({ name, isGone }) => !isGone && ledger.findRow(name)?.phase === 'absent')
  noticeSellers(
    ledger,
    late.map(({ name }) => name),
    moment,
  )
}
