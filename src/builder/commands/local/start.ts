/** `start`: builds the storefront, serves it on the local edge runtime, and rebuilds on every change of the source. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { UsageError } from '../../files/usage-error.ts'
import { formatCount } from '../../format-numbers.ts'
import { makeLeftPictures } from '../../rebuild/due-pictures.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { rebuild } from '../../rebuild/rebuild.ts'
import type { World } from '../../rebuild/world.ts'
import type { CommandDefinition, CommandResult, Parsed, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { followAndRebuild } from '../follow/watch-source.ts'
import { formatOutcome } from '../rebuild/format-rebuild.ts'
import type { KeptWorld } from '../rebuild/open-world.ts'
import { keepWorld } from '../rebuild/open-world.ts'
import type { BuildOptions } from '../rebuild/rebuild-options.ts'
import { readBuildOptions } from '../rebuild/rebuild-options.ts'
import { configureStage } from '../stage.ts'
import { isPortFree, startEdge } from './local-edge.ts'

export interface StartOptions extends BuildOptions {
  readonly port: number
  readonly isBuild: boolean
  /** True to open the home page in the browser. */
  readonly isOpen: boolean
}

export const command: CommandDefinition<StartOptions> = {
  configure: configureStart,
  parse: parseStart,
  run: runStart,
}

function configureStart(parser: Command): void {
  configureStage(parser)
    .option('--port <number>', 'port of the local site', parsePort, 8787)
    .option('--open', 'open the home page in the browser')
    .option('--no-build', 'serve the built site, and follow no changes')
    .option('--allow-shrink', 'accept a change that removes much of the site')
}

function parsePort(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number < 65_536) return number
  throw new InvalidArgumentError('A port is a number from 1 to 65535.')
}

function parseStart(parsed: Parsed): StartOptions {
  const { flags, environment } = parsed
  const isBuild = flags['build'] !== false
  const configuration = parseConfiguration(environment, isBuild ? ['source'] : [])
  return {
    ...readBuildOptions(parsed, configuration, 'start'),
    isShrinkAllowed: flags['allowShrink'] === true,
    port: Number(flags['port']),
    isBuild,
    isOpen: flags['open'] === true,
  }
}

/** Serves the site until SIGINT, SIGTERM or SIGHUP. Serves nothing if the first rebuild fails. */
export async function runStart(options: StartOptions, terminal: Terminal): Promise<CommandResult> {
  const { port, isBuild } = options
  if (!(await isPortFree(port)))
    throw new UsageError(
      `Port ${port} is taken: stop the program that listens there (workerd, if an earlier start was killed), or choose another with --port.`,
    )
  const { progress, warn, print } = terminal
  using kept = keepWorld(options, { progress: progress.update, warn })
  // A failed page keeps its older version, so the site can be served.
  if (isBuild) print(formatOutcome(await kept.use(rebuild), options.configuration.site, performance.now()))
  await serve(options, kept, terminal)
  return { exit: EXIT.done }
}

async function serve(options: StartOptions, kept: KeptWorld, terminal: Terminal): Promise<void> {
  const { configuration, port, isBuild, isOpen } = options
  const { progress, print, warn, listenForEnd } = terminal
  const folder = resolve(options.output)
  if (!existsSync(join(folder, 'index.html')))
    throw new UsageError(`There is no site in ${folder} yet. Build it with npm start or npm run rebuild.`)
  progress.update('Starting the edge runtime')
  await using edge = await (configuration.hosting === 'assets'
    ? startEdge({ folder, port })
    : (await import('./fill-bucket.ts')).startBucketEdge(folder, port))
  // Until now, a signal ends the runtime and this process at once.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
  const signal = listenForEnd()
  const onRebuilt = async ({ isIdle }: RebuildOutcome): Promise<number | null> => {
    if (!isIdle) await edge.renew()
    return kept.use((world) => makeMissingPictures(world, signal, terminal))
  }
  print(`\nReady: ${edge.origin}/ (stop with Ctrl-C)`)
  if (isOpen) openInBrowser(`${edge.origin}/`, warn)
  const isFollowed = isBuild && configuration.source !== 'firestore'
  if (isFollowed) await followAndRebuild({ options, kept, terminal, signal, isBuilt: true, onRebuilt })
  else await once(signal, 'abort')
}

/** Time for pictures between two rebuilds, in milliseconds. A change of the source waits for its end. */
const PART = 5_000

/** Makes pictures for which rebuilds had no time. Returns 0 if another rebuild follows, which shows them, else `null`. */
export async function makeMissingPictures(
  world: World,
  signal: AbortSignal,
  { progress }: Pick<Terminal, 'progress'>,
): Promise<number | null> {
  const { changed, left } = await makeLeftPictures(world, {
    scope: 'due',
    time: PART,
    signal,
    progress: (done) => progress.update(`Making pictures: ${formatCount(done, 'photo')}`),
  })
  progress.done('')
  return changed + left > 0 ? 0 : null
}

/** Programs that open addresses. Other systems use `xdg-open`. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Does not wait for the browser. */
function openInBrowser(address: string, warn: (line: string) => void): void {
  const [program = '', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => warn('No browser could be opened: open the address yourself.'))
  child.unref()
}
