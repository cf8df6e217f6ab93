/** A builder that ends while the site does not answer its claim. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { formatOrigin } from '../../../../scripts/local/local-server.ts'
import { createCoordinatorClient } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { LOCAL_SECRET } from '../../../support/edge/local-coordinator.ts'

it('gives the answer a moment, and does not wait for the limit of the call', async () => {
  const ending = new AbortController()
  const server = createServer(() => ending.abort())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const site = { url: formatOrigin(server), secrets: [LOCAL_SECRET] }
  const { claim } = createCoordinatorClient(site, { ending: ending.signal, grace: 0 })
  await expect(claim('builder', null)).rejects.toThrow('this builder is stopping')
})
