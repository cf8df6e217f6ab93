/** `start`: builds the storefront and serves it on the local edge runtime. */
import { existsSync, opendirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { formatCataloguePath } from '../../../domain/pages/paths.ts'
import { lookAgain } from '../../../domain/work/try-again.ts'
import type { Edge } from './local-edge.ts'
import { isPortFree, startEdge } from './local-edge.ts'
import { ROOT } from '../../files/project-folder.ts'
import { readSentence } from '../../publish/publish-error.ts'
import { UsageError } from '../../files/usage-error.ts'
import type { CommandDefinition, CommandResult, Environment, Parsed, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { keepEdge } from './keep-edge.ts'
import type { Configuration } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import { openInBrowser } from './open-browser.ts'
import { runNode, VITRINA } from '../run-node.ts'
import { readFolders } from '../stage.ts'

export interface StartOptions {
  readonly port: number
  /** Folder of the built site. */
  readonly folder: string
  readonly isBuild: boolean
  /** True to open the home page in the browser. */
  readonly isOpen: boolean
  readonly hosting: Configuration['hosting']
  readonly environment: Environment
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
    .option('--no-build', 'serve the built site without a rebuild')
}

function parsePort(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number < 65_536) return number
  throw new InvalidArgumentError('A port is a number from 1 to 65535.')
}

function parseStart({ flags, environment }: Parsed): StartOptions {
  return {
    port: Number(flags['port']),
    folder: join(ROOT, readFolders({ flags: {}, environment }).output),
    isBuild: flags['build'] !== false,
    isOpen: flags['open'] === true,
    hosting: parseConfiguration(environment, []).hosting,
    environment,
  }
}

/**
 * Runs a rebuild if `isBuild`, then serves the site until SIGINT, SIGTERM or SIGHUP. Serves nothing if the rebuild
 * fails.
 */
export async function runStart(
  { port, folder, isBuild, isOpen, hosting, environment }: StartOptions,
  terminal: Terminal,
): Promise<CommandResult> {
  if (!(await isPortFree(port))) throw new UsageError(describeTaken(port, isBuild))
  const stop = new AbortController()
  const end = AbortSignal.any([terminal.listenForEnd(), stop.signal])
  const exit = isBuild ? await runRebuild(end) : EXIT.done
  // A failed page keeps its older version, so the site can be served.
  if (exit !== EXIT.done && exit !== EXIT.pageFailed) return { exit }
  if (!existsSync(join(folder, 'index.html')))
    throw new UsageError(`There is no site in ${folder} yet. Build it with npm start or npm run build.`)
  const place = hosting === 'bucket' ? await openBucket(folder) : { folder, renew: async () => {} }
  const start = (): Promise<Edge> => startEdge({ ...place, port })
  const edge = await start()
  printAddresses(edge.origin, folder, terminal)
  if (isOpen) openInBrowser(`${edge.origin}/`, terminal.warn)
  const render = (): Promise<unknown> => runRebuild(end).then(place.renew)
  const pictures = isBuild ? finishPictures({ environment, render }, terminal, end) : null
  try {
    await keepEdge(edge, { start: () => waitForPort(port).then(start), warn: terminal.warn, end })
  } finally {
    // Ends the background work, because its open connections to the edge would keep this process alive.
    stop.abort()
    await pictures
  }
  return { exit: EXIT.done }
}

/** Fills the local bucket from the folder, at once and with each `renew`. */
async function openBucket(folder: string) {
  const { BUCKET_CONFIGURATION: configuration, fillBucket } = await import('./fill-bucket.ts')
  const renew = (): Promise<void> => fillBucket(folder)
  await renew()
  return { folder: null, configuration, renew }
}

function describeTaken(port: number, isBuild: boolean): string {
  const [options, other] = [isBuild ? '' : '--no-build ', port === 65_535 ? port - 1 : port + 1]
  return `Port ${port} is taken. Stop the program that listens there, or use another: npm start -- ${options}--port ${other}`
}

/** Waits up to 5 s for the port to become free, because a killed runtime holds it a little longer. */
async function waitForPort(port: number): Promise<void> {
  await lookAgain(() => isPortFree(port), { isDone: (isFree) => isFree, pauses: Array(100).fill(50) })
}

async function runRebuild(end: AbortSignal): Promise<number> {
  return (await runNode([VITRINA, 'rebuild'], end)) ?? EXIT.unfinished
}

interface PictureWork {
  readonly environment: Environment
  /** Folder of the state and the picture store; by default the state folder of the stage. */
  readonly state?: string
  readonly render: (end: AbortSignal) => Promise<unknown>
}

/**
 * Makes the pictures for which a rebuild had no time, and renders the pages that show them. Reports a failure, after
 * which the site is still served.
 */
export async function finishPictures(
  { environment, state = readFolders({ flags: {}, environment }).state, render }: PictureWork,
  { progress, warn }: Pick<Terminal, 'progress' | 'warn'>,
  end: AbortSignal,
): Promise<void> {
  try {
    // Imported on use, so that the site is served earlier.
    const { runPhotos } = await import('../run-photos.ts')
    const { changed, drawn } = await runPhotos({
      configuration: parseConfiguration(environment),
      state,
      isAll: false,
      signal: end,
      progress: (text) => progress.update(`Making pictures: ${text}`),
      warn,
    })
    progress.done('')
    if (changed + drawn > 0 && !end.aborted) await render(end)
  } catch (error) {
    if (!end.aborted) warn(`Pages may not show all small pictures yet: ${readSentence(error)}`)
  }
}

function printAddresses(origin: string, folder: string, { print }: Terminal): void {
  print(`
  Home         ${origin}/
  A catalogue  ${origin}${formatCataloguePath(findShownSeller(folder))}

  Stop with Ctrl-C.`)
}

/**
 * Returns the id of the seller whose address is printed: seller `1`, who has the best catalogue of the sample, or else
 * any seller. If there is none, returns `404`, the page for unknown sellers.
 */
export function findShownSeller(folder: string): string {
  if (existsSync(join(folder, 'catalogo/1.html'))) return '1'
  const pages = opendirSync(join(folder, 'catalogo'))
  try {
    for (let entry = pages.readSync(); entry !== null; entry = pages.readSync()) {
      // Skips folders, which hold the product pages of sellers.
      if (entry.isFile() && entry.name !== '404.html') return entry.name.slice(0, -'.html'.length)
    }
    return '404'
  } finally {
    pages.closeSync()
  }
}
