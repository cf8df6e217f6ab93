/**
 * The outside interfaces of the delivery of objects. The names to deliver survive kills: they leave the outbox after
 * the put.
 *
 * A writer sees an object, then reads the source, then puts if the object is still the one that it saw. So the tags of
 * objects are read before their data, and an object that another writer has put meanwhile is read and pushed again.
 */
import type { SellerData, ObjectName } from '../../../domain/objects/object-data.ts'
import type { Failure } from '../../state/snapshot/waits.ts'
import type { PushAnswer, PushBatch, TagsAnswer, TagsCall } from '../../../domain/wire/object-calls.ts'

export interface Delivery {
  readonly outbox: Outbox
  /** Hash of the code that makes data from documents. */
  readonly intake: string
  /** Whether the guard's refusal of removals is lifted. */
  readonly isShrinkAllowed: boolean
  readTags(call: TagsCall): Promise<TagsAnswer>
  /** Reads these from the source, after the call. */
  readObjects(names: readonly ObjectName[]): Promise<ReadObject>
  /** Stores the files that are not there. Returns the files that neither the store nor the caller has. */
  sendFiles(paths: readonly string[]): Promise<ReadonlySet<string>>
  push(batch: PushBatch): Promise<PushAnswer>
  /** Bytes of the bodies sent until now. */
  countBytes(): number
}

/** Reads one object at a time, because many at once may not fit into memory. `null`: the seller does not exist. */
export type ReadObject = (name: ObjectName) => SellerData | null

/** The names that wait to be delivered. */
export interface Outbox {
  /** Ascending. */
  read(): readonly ObjectName[]
  add(names: readonly ObjectName[]): void
  /** Keeps names whose object was not stored. */
  postpone(failures: readonly Failure[]): void
  /** Takes out names whose object is in place. */
  settle(names: readonly ObjectName[]): void
}

export interface DeliveryOutcome {
  readonly stored: readonly ObjectName[]
  /** The guard holds their removal. */
  readonly refused: readonly Failure[]
  readonly failed: readonly Failure[]
  /** Objects that other writers put first at each try. */
  readonly beaten: readonly ObjectName[]
  /** Bytes of the bodies that were sent. */
  readonly bytes: number
}
