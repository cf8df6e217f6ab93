/**
 * Lane `objects`: delivers data although the Worker was not published. The live Worker accepts data of its own format.
 */
import { formatCount } from '../../format-numbers.ts'
import type { DeliveryOutcome } from '../../publish/objects/delivery.ts'
import type { HeldError } from '../../publish/publish-error.ts'
import { UnpublishedError, readSentence } from '../../publish/publish-error.ts'

/** Delivers the data, then throws `failure` with a sentence about the delivery added. */
export async function deliverAllTheSame(
  failure: UnpublishedError | HeldError,
  deliver: () => Promise<Pick<DeliveryOutcome, 'stored'>>,
): Promise<never> {
  const delivered = await deliver().then(
    ({ stored }) => `The data was delivered all the same: ${formatCount(stored.length, 'object')}.`,
    (error: unknown) => `The data was not delivered either: ${readSentence(error)}`,
  )
  throw new UnpublishedError(`${readSentence(failure)} ${delivered}`, { cause: failure })
}
