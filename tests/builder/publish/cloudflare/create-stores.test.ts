/** The bucket and the queues of a site of objects. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { FakeCloudflare, PUBLISHED } from '../../../../scripts/fakes/fake-cloudflare.ts'
import { createCloudflareApi } from '../../../../src/builder/publish/cloudflare/cloudflare-api.ts'
import { createStores } from '../../../../src/builder/publish/cloudflare/create-stores.ts'

const NAME = 'vitrina-staging'

const cloudflare = new FakeCloudflare()
beforeAll(() => cloudflare.start())
afterAll(() => cloudflare.stop())
beforeEach(() => {
  for (const stored of [cloudflare.stores.buckets, cloudflare.stores.queues]) stored.clear()
  cloudflare.account.use([...PUBLISHED, 'R2', 'Queues'])
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

it('are created with the names of the Worker, and said', async () => {
  const lines = [
    'The bucket vitrina-staging-pages was created.',
    'The queue vitrina-staging-changes was created.',
    'The queue vitrina-staging-dead was created.',
  ]
  expect(await create()).toEqual({ lines, isBucketNew: true })
  const { buckets, queues } = cloudflare.stores
  expect([...buckets, ...queues.keys()]).toEqual([
    'vitrina-staging-pages',
    'vitrina-staging-changes',
    'vitrina-staging-dead',
  ])
})

it('are left as they are if they exist', async () => {
  await create()
  expect(await create()).toEqual({ lines: [], isBucketNew: false })
})

it('are an error if they cannot be created', async () => {
  cloudflare.account.hasR2 = false
  await expect(create()).rejects.toThrow('open R2')
})
