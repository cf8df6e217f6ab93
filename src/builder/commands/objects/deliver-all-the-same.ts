/** Lane `objects`: the delivery of data after the Worker could not be published. The live Worker takes what it understands. */
import { formatCount } from '../../format-numbers.ts'
import type { DeliveryOutcome } from '../../publish/objects/delivery.ts'
import { UnpublishedError, readSentence } from '../../publish/publish-error.ts'

/** Throws the host's error, with what was delivered. */
export async function deliverAllTheSame(
  failure: UnpublishedError,
  deliver: () => Promise<Pick<DeliveryOutcome, 'stored'>>,
): Promise<never> {
  const delivered = await deliver().then(
    ({ stored }) => `The data was delivered all the same: ${formatCount(stored.length, 'object')}.`,
    (error: unknown) => `The data was not delivered either: ${readSentence(error)}`,
  )
  throw new UnpublishedError(`${readSentence(failure)} ${delivered}`, { cause: failure })
}
