/** The messages of `start` when it cannot serve a site: each next step leads on. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../../../../src/builder/commands/local/local-edge.ts'
import { command, runStart } from '../../../../src/builder/commands/local/start.ts'
import type { CommandResult } from '../../../../src/builder/commands/command.ts'
import { parseHere } from '../../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createTestTerminal } from '../../../support/run/test-terminal.ts'

const path = useTemporaryFolder()

function start(port: number, ...options: readonly string[]): Promise<CommandResult> {
  const args = ['--port', String(port), ...options]
  return runStart({ ...parseHere(command, args, {}), output: path() }, createTestTerminal())
}

it('names what builds a site where none was built', async () => {
  await expect(start(await findFreePort(), '--no-build')).rejects.toThrow(
    'Build it with npm start or npm run rebuild',
  )
})

it.each<[number, readonly string[], string]>([
  [65_535, [], 'npm start -- --port 65534'],
  [65_534, ['--no-build'], 'npm start -- --no-build --port 65535'],
])('names another port than %i, for the same command', async (port, options, line) => {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  await expect(start(port, ...options)).rejects.toThrow(line)
})
