/** After a failure of the host, data is delivered to the Worker that is live, and the failure is the result. */
import { expect, it } from 'vitest'
import { deliverAllTheSame } from '../../../../src/builder/commands/objects/deliver-all-the-same.ts'
import { DeliverableError } from '../../../../src/builder/publish/publish-error.ts'

const failure = new DeliverableError('The upload failed.')

it('delivers, and ends with the failure of the host', async () => {
  let isDelivered = false
  const deliver = async (): Promise<{ stored: readonly string[] }> => {
    isDelivered = true
    return { stored: ['ana', 'eva'] }
  }
  const ended = deliverAllTheSame(failure, deliver)
  await expect(ended).rejects.toThrow('The upload failed. Data was delivered all the same: 2 objects.')
  await expect(ended).rejects.toThrow(DeliverableError)
  expect(isDelivered).toBe(true)
})

it('says why the live Worker does not take the data', async () => {
  const refuse = async (): Promise<never> => Promise.reject(new Error('it takes another format'))
  await expect(deliverAllTheSame(failure, refuse)).rejects.toThrow(
    'The upload failed. The delivery of the data failed, too: it takes another format.',
  )
})
