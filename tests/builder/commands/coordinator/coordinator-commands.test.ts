/** The exit codes of commands that call a coordinator which refuses. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CommandDefinition } from '../../../../src/builder/commands/command.ts'
import { command as notify } from '../../../../src/builder/commands/coordinator/notify.ts'
import { command as status } from '../../../../src/builder/commands/coordinator/status.ts'
import { command as builder } from '../../../../src/builder/commands/follow/builder.ts'
import { createEmbedded } from '../../../../src/builder/sources/embedded/embedded-create.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { LOCAL_SECRET, startCoordinator } from '../../../support/edge/local-coordinator.ts'
import type { HereRun } from '../../../support/rebuild/run-here.ts'
import { runHere } from '../../../support/rebuild/run-here.ts'
import { replaceLimits } from '../../../support/run/limits.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const OTHER = `whsec_${Buffer.from('another secret than the site has').toString('base64')}`
const path = useTemporaryFolder()

let coordinator: LocalCoordinator
beforeEach(async () => {
  coordinator = await startCoordinator()
})
afterEach(() => coordinator.close())

function run<Options>(
  name: string,
  definition: CommandDefinition<Options>,
  { secret = LOCAL_SECRET, args = [] }: { readonly secret?: string; readonly args?: readonly string[] } = {},
): Promise<HereRun<Record<string, unknown>>> {
  return runHere({ name, definition }, args, { COORDINATOR_URL: coordinator.url, REBUILD_SECRET: secret })
}

it('status exits with 1 if the site refuses the call', async () => {
  replaceLimits()
  const { code, report, stderr } = await run('status', status, { secret: OTHER })
  const error = `${coordinator.url} does not accept the signature: its secret (REBUILD_SECRET, BUILDER_SECRET or NOTICE_SECRET) differs from the one set here, or the clock of this machine is more than five minutes off.`
  expect([code, report, stderr]).toEqual([1, { exit: 1, error }, `status: ${error}\n`])
})

it('status reports the answer of the site and the problems', async () => {
  replaceLimits()
  await coordinator.client.notify(['ana'])
  coordinator.twin.hold(null, 'rolled back')
  const { code, report } = await run('status', status)
  const { exit, pending, stuck } = report
  expect([code, exit, pending]).toEqual([1, 1, 1])
  expect(stuck).toEqual([expect.stringContaining('publishing is held (rolled back)')])
})

it('notify exits with 3 if the site refuses, and with 2 without a secret', async () => {
  expect((await run('notify', notify, { secret: OTHER, args: ['ana'] })).code).toBe(3)
  const { code, stderr } = await run('notify', notify, { secret: '', args: ['ana'] })
  expect([code, stderr]).toEqual([2, expect.stringContaining('REBUILD_SECRET is not set')])
})

it('builder exits with 2 if it cannot listen on the address', async () => {
  await createEmbedded(path('shop.sqlite'))
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const places = ['--source', path('shop.sqlite'), '--out', path('dist'), '--state', path('state')]
  const { code, stderr } = await run('builder', builder, { args: ['--port', String(port), ...places] })
  server.close()
  expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot listen on 127.0.0.1 port ${port}`)])
})
