/** `builder`: keeps running, and builds at each dispatch of the site's coordinator. */
import { once } from 'node:events'
import type { Command } from 'commander'
import { createRedactor } from '../../publish/redact.ts'
import type { CommandDefinition, CommandResult, Parsed, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { parsePort } from '../parse-port.ts'
import { COORDINATOR_VARIABLES, formatEnvironment, formatExitCodes } from '../program.ts'
import { configureStage } from '../stage.ts'
import { parseRebuildOptions } from '../rebuild/rebuild-options.ts'
import type { BuilderOptions } from './builder-service.ts'
import { startBuilder } from './builder-service.ts'
import { formatEvent } from './format-event.ts'

type ServiceOptions = Omit<BuilderOptions, 'tell'>

const EXITS = ['done', 'usage', 'source', 'busy', 'unfinished'] as const

const HELP = `

Set DISPATCH_URL of the Worker to the address at which it reaches this machine. By
default, only this machine can connect: set --host to another of its addresses, or
to 0.0.0.0 for all its IPv4 addresses, or put a web server with TLS in front of the
builder. Dispatches are signed. GET /health needs no signature; it answers with
status 503 after three failed builds in a row. If the code of the project changes,
the builder exits with code 70, so that a service manager starts it again.${formatEnvironment({
  ...COORDINATOR_VARIABLES,
  DISPATCH_SECRET: "secret of dispatches (default: the builders')",
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
  configureStage(parser, { out: 'folder of the site', state: 'folder of the state' })
    .option('--port <number>', 'port for the signed dispatches', (text) => parsePort(text, 0), 8788)
    .option('--host <address>', 'address to listen on; the default admits this machine only', '127.0.0.1')
    .option(
      '--source <source>',
      'firestore or a .sqlite file (default: CATALOGUE_SOURCE, else vitrina.sqlite)',
    )
    .option('--deploy', 'publish each result')
    .addHelpText('after', formatExitCodes(...EXITS) + HELP)
}

/** Runs until SIGINT, SIGTERM, SIGHUP or a change of the project's code, and then until the current build has ended. */
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
  if (!options.isDeploy)
    say(
      'builds only: without --deploy nothing is published, no build is reported as done, and the sellers keep waiting',
    )
  say(`listens on ${builder.url} for dispatches of ${options.configuration.coordinator.url}`)
  const isOutdated = await Promise.race([
    once(end, 'abort').then(() => false),
    builder.outdated.then(() => true),
  ])
  say('ending as soon as no build is in progress')
  await builder.close()
  // An exit code other than 0 makes a service manager start the builder again.
  return { exit: isOutdated ? EXIT.unfinished : EXIT.done }
}
