/** What the delivery of objects needs from outside. The names to deliver survive kills: they leave the outbox after the put. */
import type { ObjectData, ObjectName } from '../../domain/objects/object-data.ts'
import type { PushAnswer, PushBatch, TagsAnswer, TagsCall } from '../../domain/wire/object-calls.ts'

export interface Delivery {
  readonly outbox: Outbox
  readTags(call: TagsCall): Promise<TagsAnswer>
  /** Reads these from the source, after the call. `null`: the seller does not exist. */
  readObjects(names: readonly ObjectName[]): Promise<ReadonlyMap<ObjectName, ObjectData | null>>
  push(batch: PushBatch): Promise<PushAnswer>
}

export interface Outbox {
  /** Ascending. */
  read(): readonly ObjectName[]
  /** Forgets names whose object is in place. */
  forget(names: readonly ObjectName[]): void
}

export interface DeliveryOutcome {
  readonly stored: readonly ObjectName[]
  readonly refused: readonly ObjectName[]
  readonly failed: readonly { readonly name: ObjectName; readonly reason: string }[]
  /** Bytes of the bodies that were sent. */
  readonly bytes: number
}
