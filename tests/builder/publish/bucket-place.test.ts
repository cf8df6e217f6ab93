/** The lease is asked before each change of a bucket, with the file calls of a site that stands in for the public one. */
import { mkdirSync, readdirSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { createBucketPlace } from '../../../src/builder/publish/bucket-place.ts'
import { readMessage } from '../../../src/domain/documents/errors.ts'
import { createOutput } from '../../../src/builder/state/output.ts'
import { MARKER } from '../../../src/domain/wire/site-marker.ts'
import { StandInSite } from '../../support/publish/stand-in-site.ts'
import { createWorld, runInWorld } from '../../support/rebuild/world.ts'
import { product } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const MINUTE = 60_000

/** Publishes a site of one seller. The permission number `refused` is refused. Returns how much of the lease was asked for. */
async function publish(
  refused: number,
): Promise<{ readonly asked: readonly (number | undefined)[]; readonly reason: string | null }> {
  const setup = { folder: path('.'), documents: [product('one', 'ana')] }
  const outcome = await runInWorld(setup)
  const site = await new StandInSite(path('live')).start()
  onTestFinished(() => site.close())
  const world = createWorld(setup)
  world.state.close()
  const asked: (number | undefined)[] = []
  const place = createBucketPlace({
    deployWorker: async () => {},
    origin: site.url,
    world: { ...world, output: createOutput(path('dist')) },
    readLive: async () => site.live,
  })
  const marker = {
    run: 'own',
    state: 'closed',
    time: '2026-01-01T00:00:00Z',
    renderer: 'r',
    sellers: 1,
    products: 1,
    largest: 1,
  } as const
  const lease = {
    token: 'a-token-of-a-lease',
    live: null,
    permit: async (_: string, least?: number) => {
      asked.push(least)
      if (asked.length === refused) throw new Error('the lease ends soon')
    },
  }
  const reason = await place.publish({ outcome, marker, lease }).then(() => null, readMessage)
  return { asked, reason }
}

const countFiles = (): number =>
  readdirSync(path('live'), { recursive: true, withFileTypes: true }).filter((file) => file.isFile()).length

it('no file is put into a bucket unless a minute of the lease is left', async () => {
  mkdirSync(path('live'))
  const {
    asked: [first, ...asked],
    reason,
  } = await publish(Infinity)
  expect(reason).toBeNull()
  expect(first).toBe(Infinity)
  expect(new Set(asked)).toEqual(new Set([MINUTE]))
  // The marker is put twice.
  expect(countFiles()).toBe(asked.length - 1)
})

it('the publish ends at the first file for which the lease is not long enough', async () => {
  mkdirSync(path('live'))
  expect((await publish(3)).reason).toBe('the lease ends soon')
  expect(readdirSync(path('live'))).toEqual([MARKER])
})
