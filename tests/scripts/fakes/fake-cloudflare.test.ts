/** The stand-in for Cloudflare: versions that a test puts live without an upload. */
import { afterEach, expect, it } from 'vitest'
import { FakeCloudflare } from '../../../scripts/fakes/fake-cloudflare.ts'
import { createFileServer } from '../../../scripts/fakes/file-server.ts'

let cloudflare: FakeCloudflare
afterEach(() => cloudflare.stop())

it('rejects if a seeded version cannot be shown', async () => {
  cloudflare = new FakeCloudflare({
    serve: (_, assets) => ({
      ...createFileServer(assets),
      show: () => Promise.reject(new Error('no runtime')),
    }),
  })
  await cloudflare.start()
  await expect(cloudflare.seed({}, 'vitrina-1')).rejects.toThrow('no runtime')
})
