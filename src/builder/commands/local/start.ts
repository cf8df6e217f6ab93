/** `start`: builds the storefront, serves it on the local edge runtime, and rebuilds on every change of the source. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { formatCataloguePath } from '../../../domain/pages/paths.ts'
import { lookAgain } from '../../../domain/work/try-again.ts'
import { UsageError } from '../../files/usage-error.ts'
import { formatCount } from '../../format-numbers.ts'
import { makeLeftPictures } from '../../rebuild/due-pictures.ts'
import { rebuild } from '../../rebuild/rebuild.ts'
import type { World } from '../../rebuild/world.ts'
import type { CommandDefinition, CommandResult, Parsed, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { followAndRebuild } from '../follow/watch-source.ts'
import { formatOutcome } from '../rebuild/format-rebuild.ts'
import type { KeptWorld } from '../rebuild/kept-world.ts'
import { keepWorld } from '../rebuild/kept-world.ts'
import type { BuildOptions } from '../rebuild/rebuild-options.ts'
import { readBuildOptions } from '../rebuild/rebuild-options.ts'
import { createRebuildReport } from '../rebuild/rebuild-report.ts'
import type { Edge } from './local-edge.ts'
import { isPortFree, startEdge } from './local-edge.ts'

export interface StartOptions extends BuildOptions {
  readonly port: number
  readonly isBuild: boolean
  /** True to open the home page in the browser. */
  readonly isOpen: boolean
}

export const command: CommandDefinition<StartOptions> = {
  exits: ['done', 'attention', 'usage', 'source', 'shrink', 'busy', 'unfinished'],
  configure: configureStart,
  parse: parseStart,
  run: runStart,
}

function configureStart(parser: Command): void {
  parser
    .option('--port <number>', 'port of the local site', parsePort, 8787)
    .option('--open', 'open the home page in the browser')
    .option('--no-build', 'serve the built site, and follow no changes')
}

function parsePort(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number < 65_536) return number
  throw new InvalidArgumentError('A port is a number from 1 to 65535.')
}

function parseStart({ flags, environment }: Parsed): StartOptions {
  const isBuild = flags['build'] !== false
  const configuration = parseConfiguration(environment, isBuild ? ['source'] : [])
  return {
    ...readBuildOptions({ flags, environment }, configuration, 'start'),
    port: Number(flags['port']),
    isBuild,
    isOpen: flags['open'] === true,
  }
}

/** Serves the site until SIGINT, SIGTERM or SIGHUP. Serves nothing if the first rebuild fails. */
export async function runStart(options: StartOptions, terminal: Terminal): Promise<CommandResult> {
  const { port, isBuild } = options
  if (!(await isPortFree(port))) throw new UsageError(describeTaken(port, isBuild))
  const { progress, warn } = terminal
  let isServing = false
  const show = (text: string): void => {
    if (!isServing) progress.update(text)
  }
  const kept = keepWorld(options, { progress: show, warn })
  try {
    if (isBuild) await build(options, kept, terminal)
    isServing = true
    await serve(options, kept, terminal)
  } finally {
    kept.close()
  }
  return { exit: EXIT.done }
}

/** A failed page keeps its older version, so the site can be served. */
async function build(
  { configuration: { site } }: StartOptions,
  kept: KeptWorld,
  { print }: Terminal,
): Promise<void> {
  const outcome = await kept.use(rebuild)
  const report = createRebuildReport(outcome, Math.round(performance.now()))
  print(formatOutcome(outcome, report, { site, isExplained: false }))
}

async function serve(options: StartOptions, kept: KeptWorld, terminal: Terminal): Promise<void> {
  const folder = resolve(options.output)
  if (!existsSync(join(folder, 'index.html')))
    throw new UsageError(`There is no site in ${folder} yet. Build it with npm start or npm run rebuild.`)
  terminal.progress.update('Starting the edge runtime')
  const place = await openPlace(options.configuration.hosting, folder)
  const first = await startEdge({ ...place, port: options.port })
  // Before this call, a signal ends the process, and the runtime with it.
  const end = terminal.listenForEnd()
  const stop = new AbortController()
  const signal = AbortSignal.any([end, stop.signal])
  const [home, catalogue] = ['/', formatCataloguePath(findShownSeller(folder))]
  terminal.print(`\nReady: ${first.origin}${home} and ${first.origin}${catalogue} (stop with Ctrl-C)`)
  if (options.isOpen) openInBrowser(first.origin + home, terminal.warn)
  const following = follow(options, { kept, signal, renew: place.renew }, terminal)
  const restart = async (): Promise<Edge> => {
    terminal.warn('The edge runtime ended, as it does when many files are removed at once, and starts again.')
    await lookAgain(() => isPortFree(options.port), { isDone: (isFree) => isFree, pauses: PORT_PAUSES })
    return startEdge({ ...place, port: options.port })
  }
  try {
    for (let edge = first; ; edge = await restart()) {
      await Promise.race([following, edge.ended]).finally(edge.close)
      if (end.aborted) return
    }
  } finally {
    stop.abort()
    await following.catch(() => {})
  }
}

/** A runtime that was killed holds its port a little longer, in milliseconds. */
const PORT_PAUSES: readonly number[] = Array.from({ length: 100 }, () => 50)

/** Returns where the edge finds the files. `renew` shows it the changed ones. */
async function openPlace(hosting: BuildOptions['configuration']['hosting'], folder: string) {
  if (hosting === 'assets') return { folder, renew: async () => {} }
  const { BUCKET_CONFIGURATION: configuration, fillBucket } = await import('./fill-bucket.ts')
  const renew = (): Promise<void> => fillBucket(folder)
  await renew()
  return { folder: null, configuration, renew }
}

interface Followed {
  readonly kept: KeptWorld
  readonly signal: AbortSignal
  readonly renew: () => Promise<void>
}

/** Rebuilds on every change until the signal. A site that cannot be followed is only served. */
async function follow(
  options: StartOptions,
  { kept, signal, renew }: Followed,
  terminal: Terminal,
): Promise<unknown> {
  const isFirestore = options.configuration.source === 'firestore'
  if (options.isBuild && isFirestore)
    terminal.print('Firestore is not followed here: start again to see its changes.')
  if (!options.isBuild || isFirestore) return once(signal, 'abort')
  const onRebuilt = async (): Promise<number | null> => {
    await renew()
    return kept.use((world) => makeMissingPictures(world, signal, terminal))
  }
  return followAndRebuild({ options, kept, terminal, signal, isBuilt: true, onRebuilt })
}

/** Time for pictures between two rebuilds, in milliseconds. A change of the source waits for its end. */
const PART = 5_000

/** Makes pictures for which rebuilds had no time. Returns 0 if another rebuild follows, which shows them, else `null`. */
export async function makeMissingPictures(
  world: World,
  signal: AbortSignal,
  { progress }: Pick<Terminal, 'progress'>,
): Promise<number | null> {
  const { changed, unchanged, failed, drawn } = await makeLeftPictures(world, {
    inputs: world.readInputs(),
    scope: 'due',
    time: PART,
    signal,
    progress: (done) => progress.update(`Making pictures: ${formatCount(done, 'photo')}`),
  })
  progress.done('')
  return changed + unchanged + failed + drawn > 0 ? 0 : null
}

function describeTaken(port: number, isBuild: boolean): string {
  const [options, other] = [isBuild ? '' : '--no-build ', port === 65_535 ? port - 1 : port + 1]
  return `Port ${port} is taken. Stop the program that listens there, or use another: npm start -- ${options}--port ${other}`
}

/** Programs that open addresses. Other systems use `xdg-open`. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Never throws, and does not wait for the browser. Warns if no browser could be opened. */
export function openInBrowser(address: string, warn: (line: string) => void): void {
  const [program = '', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
  const tell = (): void => warn(`No browser could be opened: open ${address} yourself.`)
  child.on('error', tell)
  child.on('exit', (code) => {
    if (code !== 0) tell()
  })
  child.unref()
}

/** Returns the id of seller `1`, who has the best catalogue of the sample, or of any other seller; `404` if none. */
export function findShownSeller(folder: string): string {
  const pages = readdirSync(join(folder, 'catalogo')).filter((name) => /(?<!^404)\.html$/.test(name))
  const page = pages.includes('1.html') ? '1.html' : (pages[0] ?? '404.html')
  return page.slice(0, -'.html'.length)
}
