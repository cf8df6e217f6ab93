/** A call that Cloudflare takes for a bot's, before it reaches the site. */
import { expect, it, onTestFinished } from 'vitest'
import { FakeCloudflare } from '../../../../scripts/fakes/fake-cloudflare.ts'
import { createCoordinatorClient } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { LOCAL_SECRET } from '../../../support/edge/local-coordinator.ts'

it('is not repeated, and the message names the setting of the domain', async () => {
  const cloudflare = new FakeCloudflare()
  await cloudflare.start()
  onTestFinished(() => cloudflare.stop())
  const site = cloudflare.findSite('vitrina')
  site.outage = 'challenging'
  const { status } = createCoordinatorClient({ url: site.origin, secrets: [LOCAL_SECRET] })
  await expect(status()).rejects.toThrow(/answered with status 403: Cloudflare .* Bot Fight Mode/)
  expect(site.calls).toBe(1)
})
