/** The health of a builder as a monitor sees it, and how a builder ends. */
import { describe, expect, it } from 'vitest'
import { trackHealth } from '../../../../src/builder/commands/follow/builder-health.ts'
import { command } from '../../../../src/builder/commands/follow/builder.ts'
import type { BuilderEvent } from '../../../../src/builder/commands/follow/builder-service.ts'
import { startBuilder } from '../../../../src/builder/commands/follow/builder-service.ts'
import { listen } from '../../../../src/builder/commands/follow/dispatch-listener.ts'
import type { CoordinatorClient } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { LOCAL_SECRET, startCoordinator } from '../../../support/edge/local-coordinator.ts'
import { writeSellersOfOne } from '../../../support/edge/publisher.ts'
import { parseHere } from '../../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

it('answers GET /health with what it does, and with 503 after three failed builds', async () => {
  const health = trackHealth(() => new Date('2026-01-01T00:00:00Z'))
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    secrets: [LOCAL_SECRET],
    onDispatch: () => {},
    readHealth: health.read,
  })
  const ask = (at = '/health'): Promise<Response> => fetch(`${listener.url}${at}`)
  health.begin()
  expect(await (await ask()).json()).toMatchObject({ state: 'building', builds: 0, lastBuild: null })
  health.end('built')
  for (const result of ['failed', 'failed', 'left to another'] as const) health.end(result)
  expect([(await ask()).status, (await ask('/')).status]).toEqual([200, 405])
  health.end('failed')
  const ill = await ask()
  expect([ill.status, await ill.json()]).toEqual([503, expect.objectContaining({ failures: 3, builds: 1 })])
  health.end('built')
  expect((await ask()).status).toBe(200)
  listener.close()
})

/** Options of a builder whose embedded database has these sellers. */
async function prepareBuilder(site: LocalCoordinator, sellers: readonly string[]) {
  process.env['NODE_ENV'] = 'production'
  await writeSellersOfOne(path('documents.sqlite'), sellers)
  const folders = ['--out', path('dist'), '--state', path('state')]
  const args = ['--source', path('documents.sqlite'), ...folders, '--port', '0']
  return parseHere(command, args, { COORDINATOR_URL: site.url, REBUILD_SECRET: LOCAL_SECRET })
}

describe('a builder that ends while its site does not answer', () => {
  const HOUR = 60 * 60_000

  async function refuse(route: string, pause: number, call: (client: CoordinatorClient) => Promise<unknown>) {
    const site = await startCoordinator()
    const ending = new AbortController()
    site.refuse(route, Infinity)
    const onRetry = (): void => ending.abort()
    const options = { tries: 3, pause, ending: ending.signal, onRetry }
    await expect(
      call(createCoordinatorClient({ url: site.url, secrets: [LOCAL_SECRET] }, options)),
    ).rejects.toThrow('answered with status 500')
    site.close()
    return site.calls.length
  }

  it('waits for no other try of a claim', async () => {
    expect(await refuse('/api/rebuild/claim', HOUR, (client) => client.claim('this one', null))).toBe(1)
  })

  it('ends, although its first claim would be tried again', async () => {
    const site = await startCoordinator()
    site.refuse('/api/rebuild/claim', Infinity)
    const options = await prepareBuilder(site, ['ana'])
    const retrying = Promise.withResolvers<void>()
    const events: BuilderEvent[] = []
    const builder = await startBuilder({
      ...options,
      tell: (event) => {
        events.push(event)
        if (event.kind === 'trouble') retrying.resolve()
      },
    })
    await retrying.promise
    await builder.close()
    site.close()
    expect(site.calls).toHaveLength(1)
    expect(events).toMatchObject([{ kind: 'trouble' }, { kind: 'failed', retry: null }])
  })

  it('tries again to report its last build', async () => {
    const report = { lease: 'the last', upTo: 1, failed: [] }
    expect(await refuse('/api/rebuild/done', 1, (client) => client.finish(report))).toBe(3)
  })
})
