/** The messages of `start` when it cannot serve a site: each next step leads on. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../../../../src/builder/commands/local/local-edge.ts'
import { runStart } from '../../../../src/builder/commands/local/start.ts'
import type { CommandResult, Environment } from '../../../../src/builder/commands/command.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createTestTerminal } from '../../../support/run/test-terminal.ts'

const path = useTemporaryFolder()

interface Asked {
  readonly port: number
  readonly isBuild?: boolean
  readonly environment?: Environment
}

function start({ port, isBuild = false, environment = {} }: Asked): Promise<CommandResult> {
  return runStart(
    { port, folder: path(), isBuild, isOpen: false, hosting: 'assets', environment },
    createTestTerminal(),
  )
}

it('names what builds a site where none was built', async () => {
  await expect(start({ port: await findFreePort() })).rejects.toThrow(
    'Build it with npm start or npm run build',
  )
})

it.each([
  [65_535, true, 'npm start -- --port 65534'],
  [65_534, false, 'npm start -- --no-build --port 65535'],
])('names another port than %i, for the same command', async (port, isBuild, line) => {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  await expect(start({ port, isBuild })).rejects.toThrow(line)
})
