/** The exit codes of commands that call a coordinator which refuses. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEmbedded } from '../../../../src/builder/sources/embedded/embedded-create.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { SECRET, startCoordinator } from '../../../support/edge/local-coordinator.ts'
import { ROOT } from '../../../support/rebuild/rebuild.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const OTHER = `whsec_${Buffer.from('another secret than the site has').toString('base64')}`
const path = useTemporaryFolder()

let coordinator: LocalCoordinator
beforeEach(async () => {
  coordinator = await startCoordinator()
})
afterEach(() => coordinator.close())

async function run(secret: string, ...args: readonly string[]) {
  // `status` would not wait for the answer of a busy machine.
  const preload = ['--import', join(ROOT, 'scripts/prove/faults/patient.ts')]
  const child = spawn(process.execPath, [...preload, 'scripts/vitrina.mjs', ...args], {
    cwd: ROOT,
    env: { ...process.env, COORDINATOR_URL: coordinator.url, REBUILD_SECRET: secret },
  })
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
}

it('status exits with 1 if the site refuses the call', async () => {
  const { code, stdout, stderr } = await run(OTHER, 'status', '--json')
  const error = `${coordinator.url} does not accept the signature: its REBUILD_SECRET (or BUILDER_SECRET) is another, or this clock is more than five minutes off.`
  expect([code, JSON.parse(stdout), stderr]).toEqual([1, { exit: 1, error }, `status: ${error}\n`])
})

it('status --json prints the answer of the site and the problems', async () => {
  await coordinator.client.notify(['ana'])
  coordinator.twin.hold(null, 'rolled back')
  const { code, stdout } = await run(SECRET, 'status', '--json')
  const { exit, pending, stuck } = JSON.parse(stdout) as Record<string, unknown>
  expect([code, exit, pending]).toEqual([1, 1, 1])
  expect(stuck).toEqual([expect.stringContaining('publishing is held (rolled back)')])
})

it('notify exits with 3 if the site refuses, and with 2 without a secret', async () => {
  expect((await run(OTHER, 'notify', 'ana')).code).toBe(3)
  const { code, stderr } = await run('', 'notify', 'ana')
  expect([code, stderr]).toEqual([2, expect.stringContaining('REBUILD_SECRET is not set')])
})

it('builder exits with 2 if it cannot listen on the address', async () => {
  await createEmbedded(path('shop.sqlite'))
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const places = ['--source', path('shop.sqlite'), '--out', path('dist'), '--state', path('state')]
  const { code, stderr } = await run(SECRET, 'builder', '--port', String(port), ...places)
  server.close()
  expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot listen on 127.0.0.1 port ${port}`)])
})
