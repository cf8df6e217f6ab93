/** The stand-in of the runtime at Cloudflare: a new version cuts off no visitor, and nothing outlives its end. */
import { mkdtempSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AssetStore } from '../../../scripts/fakes/asset-store.ts'
import type { VersionServer } from '../../../scripts/fakes/edge-site.ts'
import { createRuntimeServer } from '../../../scripts/fakes/runtime-server.ts'
import type { FakeVersion } from '../../../scripts/fakes/worker-version.ts'
import { startServer } from '../../support/run/start-server.ts'

const HOST = 'https://called.example'
/** Answers a visitor when the host has answered. */
const CODE = `export default { fetch: () => fetch('${HOST}', { method: 'POST' }) }`
const VERSION: FakeVersion = {
  id: 'one',
  tag: '',
  message: '',
  created: '2026-01-01T00:00:00Z',
  files: new Map(),
  secrets: new Map(),
  code: {
    main: 'worker.js',
    modules: new Map([['worker.js', Buffer.from(CODE)]]),
    date: null,
    exported: [],
    bindings: [],
    assets: {},
  },
}

/** How many processes this one has started and waits for. */
const countProcesses = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length

function openRuntime(hosts: Readonly<Record<string, string>>): VersionServer {
  return createRuntimeServer({
    folder: mkdtempSync(join(tmpdir(), 'vitrina-runtime-')),
    assets: new AssetStore(),
    listConsumers: () => [],
    hosts: () => hosts,
  })
}

it('answers a request that is under way before another version is shown', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  const host = await startServer((_, response) => asked.resolve(response))
  const server = openRuntime({ [HOST]: host })
  const other = openRuntime({})
  const site = await startServer((request, response) => server.answer(request, response))
  await server.show(VERSION)
  const events: (number | string)[] = []
  const visit = fetch(site).then(({ status }) => events.push(status))
  const held = await asked.promise
  const shown = server.show({ ...VERSION, id: 'two' }).then(() => events.push('shown'))
  // As long as it takes to show a version, the request is not answered.
  await other.show(VERSION)
  held.end()
  await Promise.all([visit, shown])
  expect(events).toEqual([200, 'shown'])
  await Promise.all([server.close(), other.close()])
})

it('goes on after a visitor who left before the answer', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  const host = await startServer((_, response) => asked.resolve(response))
  const server = openRuntime({ [HOST]: host })
  const site = await startServer((request, response) => server.answer(request, response))
  await server.show(VERSION)
  const leaving = new AbortController()
  const visit = fetch(site, { signal: leaving.signal }).catch((error: unknown) => String(error))
  const held = await asked.promise
  leaving.abort()
  expect(await visit).toContain('AbortError')
  held.end()
  // A version is shown when nothing is under way.
  await server.show({ ...VERSION, id: 'two' })
  await server.close()
})

it('starts no process for a version that is shown after the end', async () => {
  const server = openRuntime({})
  const before = countProcesses()
  await server.close()
  await server.show(VERSION)
  expect(countProcesses()).toBe(before)
})

it('goes on after a visitor who left while a version was starting', async () => {
  const [asked, waits, left] = [
    Promise.withResolvers<ServerResponse>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  const host = await startServer((_, response) => asked.resolve(response))
  const server = openRuntime({ [HOST]: host })
  const site = await startServer((request, response) => {
    server.answer(request, response)
    if (request.url !== '/leaves') return
    waits.resolve()
    response.on('close', left.resolve)
  })
  await server.show(VERSION)
  const visit = fetch(site)
  const held = await asked.promise
  // Does not start before the visit has its answer.
  const shown = server.show({ ...VERSION, id: 'two' })
  const leaving = new AbortController()
  const other = fetch(`${site}/leaves`, { signal: leaving.signal }).catch((error: unknown) => String(error))
  await waits.promise
  leaving.abort()
  expect(await other).toContain('AbortError')
  await left.promise
  held.end()
  expect((await visit).status).toBe(200)
  await shown
  await server.show({ ...VERSION, id: 'three' })
  await server.close()
})
