/** The stand-in of the runtime at Cloudflare: nothing of it outlives its end. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AssetStore } from '../../../scripts/fakes/asset-store.ts'
import { createRuntimeServer } from '../../../scripts/fakes/runtime-server.ts'
import type { FakeVersion } from '../../../scripts/fakes/worker-version.ts'

const CODE = 'export default { fetch: () => new Response() }'
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
    bindings: [],
    assets: {},
  },
}

/** How many processes this one has started and waits for. */
const countProcesses = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length

it('starts no process for a version that is shown after the end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-runtime-'))
  const server = createRuntimeServer({
    folder,
    assets: new AssetStore(),
    listConsumers: () => [],
    hosts: () => ({}),
  })
  const before = countProcesses()
  await server.close()
  await server.show(VERSION)
  expect(countProcesses()).toBe(before)
})
