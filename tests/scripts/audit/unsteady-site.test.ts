/** The site behind a poor connection: what a test ends is not counted in the next one. */
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { delayAnswers } from '../../../scripts/local/local-server.ts'
import { openUnsteadySite } from '../../../scripts/audit/unsteady-site.ts'
import { startServer } from '../../support/run/start-server.ts'

afterEach(() => delayAnswers(async () => {}))

it('does not count a request that a reset has cut off', async () => {
  const source = await startServer((_, response) => response.end('here'))
  const site = await openUnsteadySite(source)
  onTestFinished(site.close)
  const [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  delayAnswers(() => {
    arrived.resolve()
    return held.promise
  })
  const earlier = fetch(`${site.origin}/earlier`).catch(() => null)
  await arrived.promise
  site.reset()
  await earlier
  delayAnswers(async () => {})
  held.resolve()
  expect(await (await fetch(`${site.origin}/later`)).text()).toBe('here')
  expect(site.asked).toEqual(['/later'])
})

it('serves the usual service worker, also after a reset, unless the connection has another', async () => {
  const source = await startServer((_, response) => response.end('of the source'))
  const site = await openUnsteadySite(source, 'usual')
  onTestFinished(site.close)
  const read = async (): Promise<string> => (await fetch(`${site.origin}/service-worker.js`)).text()
  site.connection = { worker: 'another' }
  expect(await read()).toBe('another')
  site.reset()
  expect(await read()).toBe('usual')
  expect(await (await fetch(`${site.origin}/`)).text()).toBe('of the source')
})
