/** The bucket of a site of objects. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { FakeCloudflare, PUBLISHED } from '../../../../scripts/fakes/fake-cloudflare.ts'
import { createCloudflareApi } from '../../../../src/builder/publish/cloudflare/cloudflare-api.ts'
import { createStores } from '../../../../src/builder/publish/cloudflare/create-stores.ts'

const NAME = 'vitrina-staging'

const cloudflare = new FakeCloudflare()
beforeAll(() => cloudflare.start())
afterAll(() => cloudflare.stop())
beforeEach(() => {
  cloudflare.stores.buckets.clear()
  cloudflare.account.use([...PUBLISHED, 'R2'])
})

const create = (): ReturnType<typeof createStores> =>
  createStores(
    createCloudflareApi({
      environment: cloudflare.environment,
      worker: { name: NAME, account: null, observability: null, domains: [] },
      wrangler: () => Promise.reject(new Error('the tool was used')),
    }),
    NAME,
  )

it('is created with the name of the Worker, and said', async () => {
  expect(await create()).toEqual({
    lines: ['The bucket vitrina-staging-pages was created.'],
    isBucketNew: true,
  })
  expect([...cloudflare.stores.buckets]).toEqual(['vitrina-staging-pages'])
})

it('is left as it is if it exists', async () => {
  await create()
  expect(await create()).toEqual({ lines: [], isBucketNew: false })
})

it('is an error if it cannot be created', async () => {
  cloudflare.account.hasR2 = false
  await expect(create()).rejects.toThrow('open R2')
})
