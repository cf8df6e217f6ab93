/** The services, the renderer and the facts that the consumer of changes uses. */
import type { DataFacts } from '../../domain/objects/data-facts.ts'
import type { ChangeLedger } from '../coordinator/change-ledger.ts'
import type { ObjectHost } from '../objects/object-host.ts'
import type { SellerSource } from './seller-source.ts'

/** The settings, files and code on which object data depends, as they were when a builder compiled the Worker. */
interface IntakeFacts extends DataFacts {
  /** Hash of these settings, files and code. */
  readonly intake: string
}

export interface ChangeHost extends ObjectHost {
  readonly ledger: ObjectHost['ledger'] & ChangeLedger
  readonly source: SellerSource
  readonly intake: IntakeFacts
}
