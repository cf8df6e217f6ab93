/** `builder`: stays, and builds whenever the site's coordinator asks for it. */
import { once } from 'node:events'
import type { Command } from 'commander'
import { createRedactor } from '../../publish/redact.ts'
import type { CommandDefinition, CommandResult, Parsed, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { parsePort } from '../parse-port.ts'
import { formatExitCodes } from '../program.ts'
import type { CommandOptions } from '../rebuild/rebuild-options.ts'
import { parseRebuildOptions } from '../rebuild/rebuild-options.ts'
import { startBuilder } from './builder-service.ts'
import { formatEvent } from './format-event.ts'

interface ServiceOptions {
  readonly port: number
  readonly host: string
  /** Of each build. */
  readonly command: CommandOptions
}

const EXITS = ['done', 'usage', 'source', 'busy', 'unfinished'] as const

const HELP = `

Set DISPATCH_URL of the Worker to the address under which it reaches this machine.
Environment (or .env): as for npm run rebuild; REBUILD_SECRET, the same as the site's; COORDINATOR_URL, by
default SITE_URL; DISPATCH_SECRET, when dispatches are signed with another secret.`

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
    .option(
      '--port <number>',
      'where to listen for its signed dispatches',
      (text) => parsePort(text, 0),
      8788,
    )
    .option('--host <address>', 'on which address: only this machine, unless said otherwise', '127.0.0.1')
    .option(
      '--source <source>',
      'firestore or a .sqlite file (default: CATALOGUE_SOURCE, else vitrina.sqlite)',
    )
    .option('--out <folder>', 'where the site is written', 'dist')
    .option('--state <folder>', 'where the snapshot and the record are kept', '.vitrina')
    .option('--deploy', 'publish each result')
    .addHelpText('after', formatExitCodes(...EXITS) + HELP)
}

/** Until SIGINT, SIGTERM or SIGHUP, and then to the end of the build under way. */
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
  say('ends, as soon as the build under way has ended')
  await builder.close()
  return { exit: EXIT.done }
}
