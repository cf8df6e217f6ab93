/** A builder that ends while the site does not answer its claim. */
import { expect, it } from 'vitest'
import { createCoordinatorClient } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { LOCAL_SECRET } from '../../../support/edge/local-coordinator.ts'
import { startServer } from '../../../support/run/start-server.ts'

it('gives the answer a moment, and does not wait for the limit of the call', async () => {
  const ending = new AbortController()
  const url = await startServer(() => ending.abort())
  const site = { url, secrets: [LOCAL_SECRET] }
  const { claim } = createCoordinatorClient(site, { ending: ending.signal, grace: 0 })
  await expect(claim('builder', null)).rejects.toThrow('this builder is stopping')
})
