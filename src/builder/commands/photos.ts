/** `photos`: processes the queue of photos, and fetches known photos again when they are due. */
import type { Command } from 'commander'
import { formatId } from '../../domain/documents/format-id.ts'
import { cleanText } from '../../domain/documents/text.ts'
import { formatCount, formatNumber } from '../format-numbers.ts'
import type { CommandDefinition, Terminal } from './command.ts'
import { parseConfiguration } from './configuration.ts'
import { EXIT } from './exit-codes.ts'
import { configureStage, readFolders } from './stage.ts'
import type { PhotoReport, PhotosOptions } from './run-photos.ts'
import { NO_PHOTOS, runPhotos } from './run-photos.ts'

const HELP = `
A photo that cannot be fetched is listed and keeps its original address. It is
fetched again when its next try is due. The next rebuild renders the affected pages.`

export const command: CommandDefinition<Omit<PhotosOptions, 'signal' | 'progress' | 'warn'>> = {
  exits: ['done', 'usage', 'busy', 'unfinished'],
  configure: configurePhotos,
  parse: ({ flags, environment }) => ({
    configuration: parseConfiguration(environment),
    state: readFolders({ flags, environment }).state,
    isAll: flags['all'] === true,
  }),
  run: async (options, terminal) => {
    const { progress } = terminal
    const signal = terminal.listenForEnd()
    const report = await runPhotos({
      ...options,
      signal,
      progress: (text) => progress.update(text),
      warn: (message) => terminal.warn(message),
    })
    progress.done('')
    tell(report, terminal)
    if (signal.aborted) terminal.print('Interrupted: run npm run photos again to make the other pictures.')
    return { exit: signal.aborted ? EXIT.unfinished : EXIT.done, report }
  },
  blank: NO_PHOTOS,
}

function configurePhotos(parser: Command): void {
  configureStage(parser, { state: 'folder of the state and the picture store' })
    .option('--all', 'include photos whose next fetch is not due yet')
    .addHelpText('after', HELP)
}

function tell({ changed, unchanged, drawn, troubles, note }: PhotoReport, { print }: Terminal): void {
  for (const { product, address, reason } of troubles)
    print(cleanText(`cataloge/${formatId(product)}: ${address} ${reason}`))
  const counts = [
    `${formatCount(changed, 'picture')} new or changed`,
    `${formatNumber(unchanged)} unchanged`,
    `${formatNumber(drawn)} drawn for shared links`,
    `${formatCount(troubles.length, 'photo')} unreachable or shown from the original address`,
  ]
  print(`${counts.join(', ')}. ${note}`.trim())
}
