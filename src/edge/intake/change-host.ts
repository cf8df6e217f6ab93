/** The outside services that the consumer of changes uses. */
import type { ChangeLedger } from '../coordinator/change-ledger.ts'
import type { ObjectHost } from '../objects/object-host.ts'
import type { IntakeFacts } from './intake-facts.ts'
import type { SellerSource } from './seller-source.ts'

export interface ChangeHost extends ObjectHost {
  readonly ledger: ObjectHost['ledger'] & ChangeLedger
  readonly source: SellerSource
  readonly intake: IntakeFacts
}
