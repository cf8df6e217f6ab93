/** `photos`: makes all pictures of photos that are due, without a limit of time. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { formatId } from '../../domain/documents/format-id.ts'
import { cleanText } from '../../domain/documents/text.ts'
import { readManifest } from '../files/file-hashes.ts'
import { ROOT } from '../files/project-folder.ts'
import { UsageError } from '../files/usage-error.ts'
import { formatCount, formatNumber } from '../format-numbers.ts'
import { openPictures } from '../pictures/open-pictures.ts'
import type { MadeReport, Pictures } from '../pictures/pictures.ts'
import { NOTHING_MADE } from '../pictures/pictures.ts'
import { makeLeftPictures, readCatalogues } from '../rebuild/due-pictures.ts'
import { acquireLock, BusyError } from '../state/locks.ts'
import type { SiteState } from '../state/site-state.ts'
import { openState } from '../state/site-state.ts'
import type { CommandDefinition, CommandResult, Terminal } from './command.ts'
import type { Configuration } from './configuration.ts'
import { parseConfiguration } from './configuration.ts'
import { EXIT } from './exit-codes.ts'
import { nameFolder } from './rebuild/kept-world.ts'
import { PICTURES, STATE } from './rebuild/open-world.ts'
import { readPublicFile } from './rebuild/page-inputs.ts'
import { configureFolders, readFolders } from './stage.ts'

interface PhotosOptions {
  readonly state: string
  /** True to include photos that are not due yet. */
  readonly isAll: boolean
  readonly configuration: Configuration
}

const HELP = `
A photo that cannot be fetched is listed and keeps its original address. It is
fetched again when its next try is due. The next rebuild renders the affected pages.`

export const command: CommandDefinition<PhotosOptions> = {
  exits: ['done', 'usage', 'busy', 'unfinished'],
  blank: NOTHING_MADE,
  configure: (parser) =>
    void configureFolders(parser)
      .option('--all', 'include photos whose next fetch is not due yet')
      .addHelpText('after', HELP),
  parse: ({ flags, environment }) => ({
    configuration: parseConfiguration(environment),
    state: readFolders({ flags, environment }).state,
    isAll: flags['all'] === true,
  }),
  run: runPhotos,
}

/** Throws a `UsageError` if there is no state with sellers, and a `BusyError` if another run uses it. */
async function runPhotos(options: PhotosOptions, terminal: Terminal): Promise<CommandResult> {
  const { configuration, state: folder } = options
  const { mode } = configuration.photos
  if (mode !== 'files') {
    terminal.print(`PHOTOS is ${mode}, so there are no pictures to make.`)
    return { exit: EXIT.done, report: NOTHING_MADE }
  }
  const file = join(folder, STATE)
  if (!existsSync(file)) throw new UsageError(`${folder} holds no state yet: run npm run rebuild first.`)
  const lock = acquireLock(join(folder, 'photos-lock.sqlite'))
  if (lock === null)
    throw new BusyError(`Another run of npm run photos uses ${folder}: try again when it has ended.`)
  const state = openState(file)
  try {
    // Without sellers, every picture would count as unused.
    if (state.readTotals().sellers === 0)
      throw new UsageError(`The state in ${folder} has no sellers: run npm run rebuild first.`)
    return await openAndMake(state, options, terminal)
  } catch (error) {
    throw nameFolder(error, folder)
  } finally {
    state.close()
    lock.release()
  }
}

async function openAndMake(
  state: SiteState,
  { configuration: { site, photos, maxProducts }, state: folder, isAll }: PhotosOptions,
  terminal: Terminal,
): Promise<CommandResult> {
  const setup = { ...photos, brand: site.name, store: join(folder, PICTURES) }
  const pictures = openPictures(setup, { readPublicFile, now: Date.now, warn: terminal.warn })
  try {
    const signal = terminal.listenForEnd()
    const publicFiles = readManifest(join(ROOT, 'public'), '.')
    const inputs = { maxProducts, publicFiles }
    pictures.renewOwn(publicFiles)
    cleanPictures(pictures, folder, () => readCatalogues(state, inputs, state.readSellers()))
    const scope = isAll ? 'all' : 'due'
    const progress = (done: number): void => terminal.progress.update(formatCount(done, 'photo'))
    const report = await makeLeftPictures(
      { state, pictures },
      { inputs, scope, time: Infinity, signal, progress },
    )
    tell(report, terminal)
    if (signal.aborted) terminal.print('Interrupted: run npm run photos again to make the other pictures.')
    return { exit: signal.aborted ? EXIT.unfinished : EXIT.done, report }
  } finally {
    pictures.close()
  }
}

/** Not while a rebuild runs, which registers the photos of newer catalogues itself. */
function cleanPictures(pictures: Pictures, folder: string, read: () => Iterable<Catalogue>): void {
  const lock = acquireLock(join(folder, 'lock.sqlite'))
  try {
    if (lock !== null) pictures.clean(read())
  } finally {
    lock?.release()
  }
}

function tell({ changed, unchanged, drawn, troubles }: MadeReport, { print }: Terminal): void {
  for (const { product, address, reason } of troubles)
    print(cleanText(`cataloge/${formatId(product)}: ${address} ${reason}`))
  const counts = [
    `${formatCount(changed, 'picture')} new or changed`,
    `${formatNumber(unchanged)} unchanged`,
    `${formatNumber(drawn)} drawn for shared links`,
    `${formatCount(troubles.length, 'photo')} shown from the original address`,
  ]
  print(`${counts.join(', ')}.`)
  if (changed + drawn > 0) print('npm run rebuild renders the pages that show them.')
}
