/** `npm run builder [-- options]`: stays, and builds whenever the site's coordinator asks for it. */
import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { cleanText } from '../../../domain/documents/text.ts'
import { createRedactor } from '../../publish/redact.ts'
import { BusyError } from '../../state/lock-folders.ts'
import { UsageError } from '../../state/usage-error.ts'
import { parseArguments } from '../coordinator/coordinator-command.ts'
import { startBuilder } from './builder-service.ts'
import { formatEvent } from './format-event.ts'
import { parseCommand } from '../program.ts'
import { command as rebuildCommand } from '../rebuild/run-rebuild.ts'

const EXIT = { failed: 1, usage: 2, busy: 5 } as const

// React's development build is slower and makes other markup.
process.env['NODE_ENV'] = 'production'

const command = new Command('npm run builder --')
  .description('Stay, and build whenever the coordinator of the site asks for it.')
  .option('--port <number>', 'where to listen for its signed dispatches', parsePort, 8788)
  .option('--host <address>', 'on which address: only this machine, unless said otherwise', '127.0.0.1')
  .option('--source <source>', 'firestore or a .sqlite file (default: CATALOGUE_SOURCE, else vitrina.sqlite)')
  .option('--out <folder>', 'where the site is written', 'dist')
  .option('--state <folder>', 'where the snapshot and the record are kept', '.vitrina')
  .option('--deploy', 'publish each result')
  .addHelpText(
    'after',
    `
Set DISPATCH_URL of the Worker to the address under which it reaches this machine.
Environment (or .env): as for npm run rebuild; REBUILD_SECRET, the same as the site's; COORDINATOR_URL, by
default SITE_URL; DISPATCH_SECRET, when dispatches are signed with another secret.
Exit codes: 0 ended with Ctrl-C; 1 it could not start; 2 wrong usage; 5 another rebuild holds these folders.`,
  )
const flags = parseArguments(command).opts<{
  port: number
  host: string
  source?: string
  out: string
  state: string
  deploy?: boolean
}>()
const clean = createRedactor(process.env)

try {
  await run()
} catch (error) {
  fail(error instanceof Error ? error : new Error(String(error)))
}

async function run(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { port, host, source, out, state, deploy } = flags
  const named = source === undefined ? [] : ['--source', source]
  const args = [
    '--pending',
    ...named,
    '--out',
    out,
    '--state',
    state,
    ...(deploy === true ? ['--deploy'] : []),
  ]
  const options = parseCommand({ definition: rebuildCommand }, args, process.env)
  if (options === null) return
  const builder = await startBuilder({
    command: options,
    host,
    port,
    tell: (event) => formatEvent(event).forEach(say),
  })
  say(`listens on ${builder.url} for dispatches of ${options.configuration.coordinator.url}`)
  const end = (): void => {
    say('ends, as soon as the build under way has ended')
    void builder.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
}

function say(line: string): void {
  console.log(`${new Date().toISOString()} ${clean(line)}`)
}

function fail(error: Error): void {
  const isUsage = error instanceof UsageError
  console.error(
    `builder: ${clean(cleanText(error.message))}${isUsage ? ' (--help tells how to use it)' : ''}`,
  )
  process.exitCode = isUsage ? EXIT.usage : error instanceof BusyError ? EXIT.busy : EXIT.failed
}

function parsePort(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number
  throw new InvalidArgumentError('A port is a number from 0 to 65535.')
}
