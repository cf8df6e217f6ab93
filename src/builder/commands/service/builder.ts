/** `builder`: keeps running, and builds at each dispatch of the site's coordinator. */
import { once } from 'node:events'
import type { Command } from 'commander'
import { createRedactor } from '../../publish/redact.ts'
import type { CommandDefinition, CommandResult, Parsed, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { parsePort } from '../parse-port.ts'
import { formatEnvironment, formatExitCodes } from '../program.ts'
import type { CommandOptions } from '../rebuild/rebuild-options.ts'
import { parseRebuildOptions } from '../rebuild/rebuild-options.ts'
import { startBuilder } from './builder-service.ts'
import { formatEvent } from './format-event.ts'

interface ServiceOptions {
  readonly port: number
  readonly host: string
  /** Options of each build. */
  readonly command: CommandOptions
}

const EXITS = ['done', 'usage', 'source', 'busy', 'unfinished'] as const

const HELP = `

Set DISPATCH_URL of the Worker to the address of this machine.${formatEnvironment({
  REBUILD_SECRET: 'the same secret as the site has',
  COORDINATOR_URL: 'origin of the coordinator (default: SITE_URL)',
  DISPATCH_SECRET: 'secret of dispatches (default: REBUILD_SECRET)',
})}
The variables of rebuild apply too.`

export const command: CommandDefinition<ServiceOptions> = {
  configure: configureBuilder,
  parse: ({ flags, words, environment }: Parsed) => ({
    port: Number(flags['port']),
    host: String(flags['host']),
    command: parseRebuildOptions({ flags: { ...flags, pending: true, seller: [] }, words, environment }),
  }),
  run: serve,
}

function configureBuilder(parser: Command): void {
  parser
    .option('--port <number>', 'port for the signed dispatches', (text) => parsePort(text, 0), 8788)
    .option('--host <address>', 'address to listen on; the default admits this machine only', '127.0.0.1')
    .option(
      '--source <source>',
      'firestore or a .sqlite file (default: CATALOGUE_SOURCE, else vitrina.sqlite)',
    )
    .option('--out <folder>', 'folder of the site', 'dist')
    .option('--state <folder>', 'folder of the snapshot and the record', '.vitrina')
    .option('--deploy', 'publish each result')
    .addHelpText('after', formatExitCodes(...EXITS) + HELP)
}

/** Runs until SIGINT, SIGTERM or SIGHUP, and then until the current build has ended. */
async function serve(
  { port, host, command: options }: ServiceOptions,
  terminal: Terminal,
): Promise<CommandResult> {
  const redact = createRedactor(options.environment)
  const say = (line: string): void => terminal.print(`${new Date().toISOString()} ${redact(line)}`)
  const builder = await startBuilder({
    command: options,
    host,
    port,
    tell: (event) => formatEvent(event).forEach(say),
  })
  const end = terminal.listenForEnd()
  say(`listens on ${builder.url} for dispatches of ${options.configuration.coordinator.url}`)
  await once(end, 'abort')
  say('ending after the current build')
  await builder.close()
  return { exit: EXIT.done }
}
