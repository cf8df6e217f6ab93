/**
 * The interfaces that the delivery of objects needs. The names to deliver survive a crash, because a name is removed
 * from the outbox only after the put of its object.
 *
 * A put is rejected if the object's tag has changed since the writer read it. Therefore the tags of objects are read
 * before their data, and an object that another writer has put meanwhile is read and pushed again.
 */
import type { SellerData } from '../../../domain/objects/object-data.ts'
import type { Failure } from '../../state/snapshot/waits.ts'
import type { PushAnswer, PushBatch, TagsAnswer, TagsCall } from '../../../domain/wire/object-calls.ts'

export interface Delivery {
  readonly outbox: Outbox
  /** Hash of the code that makes data from documents, and of everything else that this data depends on. */
  readonly intake: string
  /** True if the site must accept removals that the guard would refuse. */
  readonly isShrinkAllowed: boolean
  readTags(call: TagsCall): Promise<TagsAnswer>
  /** Brings these sellers in the snapshot up to date with the source. Returns a function that reads their objects. */
  readObjects(names: readonly string[]): Promise<ReadObject>
  /** Sends the files that the store lacks. Returns those that cannot be sent, because they are lost or too large. */
  sendFiles(paths: readonly string[]): Promise<ReadonlySet<string>>
  push(batch: PushBatch): Promise<PushAnswer>
  /** Returns the size of all bodies with data or files sent so far, in bytes. */
  countBytes(): number
}

/** Reads one object, because many at once may not fit into memory. Returns `null` if the seller does not exist. */
export type ReadObject = (name: string) => SellerData | null

/** The names of objects to be delivered. */
export interface Outbox {
  /** Returns the names in ascending order, those of earlier failures last. */
  read(): readonly string[]
  add(names: readonly string[]): void
  /** Records why objects were not stored. Their names stay in the outbox. */
  postpone(failures: readonly Failure[]): void
  /** Removes names whose object is up to date. */
  settle(names: readonly string[]): void
}

export interface DeliveryOutcome {
  readonly stored: readonly string[]
  /** Sellers whose removal the guard refused. */
  readonly refused: readonly Failure[]
  readonly failed: readonly Failure[]
  /**
   * Objects that are still in the outbox after all passes, usually because another writer put them first at each try.
   * Does not include objects that were refused or failed.
   */
  readonly beaten: readonly string[]
  /** Bytes of the bodies with data or files that were sent. */
  readonly bytes: number
}
