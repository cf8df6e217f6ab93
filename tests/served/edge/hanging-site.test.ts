/** The real builder beside a site that takes its calls and answers none. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { formatOrigin } from '../../../scripts/local/local-server.ts'
import { writeSellersOfOne } from '../../support/edge/publisher.ts'
import { BuilderProcess } from '../../support/rebuild/running-builder.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { SITE_SECRET } from './coordinated-site.ts'

const path = useTemporaryFolder()

it('builds nothing, says so to a monitor, and ends on a signal', async () => {
  const server = createServer(() => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const asked = once(server, 'request')
  await writeSellersOfOne(path('shop.sqlite'), ['ana'])
  const env = { COORDINATOR_URL: formatOrigin(server), REBUILD_SECRET: SITE_SECRET }
  const place = { source: path('shop.sqlite'), output: path('dist'), state: path('state'), env }
  const builder = new BuilderProcess(place)
  onTestFinished(async () => {
    await builder.end('SIGKILL')
    server.close()
    server.closeAllConnections()
  })
  const url = await builder.findUrl()
  await asked
  const health = await fetch(`${url}/health`)
  expect([health.status, await health.json()]).toMatchObject([200, { state: 'idle', builds: 0 }])
  expect(await builder.end('SIGINT')).toBe(0)
  expect(builder.said).toContain('this builder is stopping')
})
