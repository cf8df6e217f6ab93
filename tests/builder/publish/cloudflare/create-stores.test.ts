/** The bucket and the queue of a site of objects. */
import { expect, it } from 'vitest'
import { createStores } from '../../../../src/builder/publish/cloudflare/create-stores.ts'
import { WranglerError } from '../../../../src/builder/publish/cloudflare/wrangler.ts'

it('are created with the names of the Worker, and said', async () => {
  const calls: string[] = []
  const run = async (args: readonly string[]) => {
    calls.push(args.join(' '))
    return { stdout: '', entries: [] }
  }
  expect(await createStores(run, 'vitrina-staging')).toEqual([
    'The bucket vitrina-staging-pages was created.',
    'The queue vitrina-staging-changes was created.',
    'The queue vitrina-staging-dead was created.',
  ])
  expect(calls).toEqual([
    'r2 bucket create vitrina-staging-pages',
    'queues create vitrina-staging-changes',
    'queues create vitrina-staging-dead',
  ])
})

it('are left as they are if they exist', async () => {
  const run = async (args: readonly string[]): Promise<never> => {
    const reason =
      args[0] === 'r2' ? 'The bucket already exists, and you own it.' : 'Queue taken [code: 11009]'
    throw new WranglerError(reason)
  }
  expect(await createStores(run, 'vitrina')).toEqual([])
})

it('are an error if they cannot be created', async () => {
  const run = () => Promise.reject(new WranglerError('not allowed [code: 10000]'))
  await expect(createStores(run, 'vitrina')).rejects.toThrow('not allowed')
})
