/** The real builder beside a site that takes its calls and answers none. */
import { expect, it, onTestFinished } from 'vitest'
import { writeSellersOfOne } from '../../support/edge/publisher.ts'
import { BuilderProcess } from '../../support/rebuild/running-builder.ts'
import { startServer } from '../../support/run/start-server.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { SITE_SECRET } from './coordinated-site.ts'

const path = useTemporaryFolder()

it('builds nothing, says so to a monitor, and ends on a signal', async () => {
  const asked = Promise.withResolvers<void>()
  const origin = await startServer(() => asked.resolve())
  await writeSellersOfOne(path('shop.sqlite'), ['ana'])
  const env = { COORDINATOR_URL: origin, REBUILD_SECRET: SITE_SECRET }
  const place = { source: path('shop.sqlite'), output: path('dist'), state: path('state'), env }
  const builder = new BuilderProcess(place)
  onTestFinished(async () => void (await builder.end('SIGKILL')))
  const url = await builder.findUrl()
  await asked.promise
  const health = await fetch(`${url}/health`)
  expect([health.status, await health.json()]).toMatchObject([200, { state: 'idle', builds: 0 }])
  expect(await builder.end('SIGINT')).toBe(0)
  expect(builder.said).toContain('this builder is stopping')
})
