/**
 * Lane `objects`: delivers data although the publish of the Worker failed. The live Worker accepts the data unless its
 * format differs.
 */
import { formatCount } from '../../format-numbers.ts'
import type { DeliveryOutcome } from '../../publish/objects/delivery.ts'
import { DeliverableError, readSentence } from '../../publish/publish-error.ts'

/**
 * Delivers the data, then throws a `DeliverableError` with the message of `failure` and a sentence about the delivery.
 */
export async function deliverAllTheSame(
  failure: DeliverableError,
  deliver: () => Promise<Pick<DeliveryOutcome, 'stored'>>,
): Promise<never> {
  const delivered = await deliver().then(
    ({ stored }) => `Data was delivered all the same: ${formatCount(stored.length, 'object')}.`,
    (error: unknown) => `The delivery of the data failed, too: ${readSentence(error)}`,
  )
  throw new DeliverableError(`${readSentence(failure)} ${delivered}`, { cause: failure })
}
