/** `photos`: makes all pictures of photos that are due, without a limit of time. */
import { formatId } from '../../domain/documents/format-id.ts'
import { UsageError } from '../files/usage-error.ts'
import { formatCount } from '../format-numbers.ts'
import type { MadeReport } from '../pictures/pictures.ts'
import { NOTHING_MADE } from '../pictures/pictures.ts'
import { makeLeftPictures } from '../rebuild/due-pictures.ts'
import type { World } from '../rebuild/world.ts'
import type { CommandDefinition, CommandResult, Terminal } from './command.ts'
import { parseConfiguration } from './configuration.ts'
import { EXIT } from './exit-codes.ts'
import { keepWorld } from './rebuild/open-world.ts'
import type { BuildOptions } from './rebuild/rebuild-options.ts'
import { readBuildOptions } from './rebuild/rebuild-options.ts'
import { configureFolders } from './stage.ts'
import { listFirst } from './terminal/format-lines.ts'

interface PhotosOptions extends BuildOptions {
  /** True to include photos that are not due yet. */
  readonly isAll: boolean
}

/** Longer than any run, in milliseconds. */
const A_DAY = 24 * 60 * 60_000

const HELP = `
A photo that cannot be fetched is listed and keeps its original address. It is
fetched again when its next try is due. The next rebuild renders the affected pages.`

export const command: CommandDefinition<PhotosOptions> = {
  blank: NOTHING_MADE,
  configure: (parser) =>
    void configureFolders(parser)
      .option('--all', 'include photos whose next fetch is not due yet')
      .addHelpText('after', HELP),
  parse: (parsed) => ({
    ...readBuildOptions(parsed, parseConfiguration(parsed.environment), 'photos'),
    isAll: parsed.flags['all'] === true,
  }),
  run: async (options, terminal) => {
    const { mode } = options.configuration.photos
    if (mode !== 'files') {
      terminal.print(`PHOTOS is ${mode}, so there are no pictures to make.`)
      return { exit: EXIT.done }
    }
    using kept = keepWorld(options, { progress: terminal.progress.update, warn: terminal.warn })
    return await kept.use((world) => makePictures(world, options, terminal))
  },
}

async function makePictures(
  world: World,
  { isAll }: PhotosOptions,
  { print, progress, listenForEnd }: Terminal,
): Promise<CommandResult> {
  if (world.state.readTotals().sellers === 0)
    throw new UsageError('There are no sellers yet: run npm run rebuild first.')
  const signal = listenForEnd()
  const report = await makeLeftPictures(world, {
    scope: isAll ? 'all' : 'due',
    time: A_DAY,
    signal,
    progress: (done) => progress.update(formatCount(done, 'photo')),
  })
  print(formatReport(report))
  if (signal.aborted) print('Interrupted: run npm run photos again to make the other pictures.')
  return { exit: signal.aborted ? EXIT.unfinished : EXIT.done, report }
}

function formatReport({ changed, troubles }: MadeReport): string {
  const format = ({ product, address, reason }: (typeof troubles)[number]): string =>
    `cataloge/${formatId(product)}: ${address} ${reason}`
  const lost = formatCount(troubles.length, 'photo')
  return [
    ...listFirst(troubles, format, { most: troubles.length }),
    `${formatCount(changed, 'new picture')}, ${lost} shown from the original address.`,
    ...(changed > 0 ? ['npm run rebuild renders the pages that show them.'] : []),
  ].join('\n')
}
