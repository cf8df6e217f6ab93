/** `photos`: works the queue of photos off, and asks whether those it knows have changed. */
import type { Command } from 'commander'
import { cleanText } from '../../domain/documents/text.ts'
import { formatCount, formatNumber } from '../format-numbers.ts'
import type { CommandDefinition, Terminal } from './command.ts'
import type { Configuration } from './configuration.ts'
import { parseConfiguration } from './configuration.ts'
import { EXIT } from './exit-codes.ts'
import { formatExitCodes } from './program.ts'
import type { PhotoReport } from './run-photos.ts'
import { EMPTY_REPORT, runPhotos } from './run-photos.ts'

interface PhotosOptions {
  readonly configuration: Configuration
  readonly state: string
  /** Also photos whose time has not come. */
  readonly isAll: boolean
}

const HELP = `

Photos that cannot be had are named and keep their original address. Those that failed before are tried again when
their time has come; the next rebuild renders the pages concerned.

Environment (or .env): PHOTOS, PHOTO_HOSTS.`

export const command: CommandDefinition<PhotosOptions> = {
  configure: configurePhotos,
  parse: ({ flags, environment }) => ({
    configuration: parseConfiguration(environment),
    state: String(flags['state']),
    isAll: flags['all'] === true,
  }),
  run: async (options, terminal) => {
    const { progress } = terminal
    const report = await runPhotos({
      ...options,
      signal: terminal.listenForEnd(),
      progress: (text) => progress.update(text),
    })
    progress.done('')
    tell(report, terminal)
    return { exit: EXIT.done, report }
  },
  blank: EMPTY_REPORT,
}

function configurePhotos(parser: Command): void {
  parser
    .option('--state <folder>', 'where the snapshot and the picture store are kept', '.vitrina')
    .option('--all', 'also photos whose time has not come')
    .option('--json', 'end with one JSON object, and write nothing else to stdout')
    .addHelpText('after', formatExitCodes('done', 'usage', 'busy', 'unfinished') + HELP)
}

function tell({ changed, unchanged, drawn, troubles, note }: PhotoReport, { print }: Terminal): void {
  for (const { product, address, reason } of troubles)
    print(cleanText(`cataloge/${product}: ${address} ${reason}`))
  const counts = [
    `${formatCount(changed, 'picture')} new or changed`,
    `${formatNumber(unchanged)} unchanged`,
    `${formatNumber(drawn)} drawn for shared links`,
    `${formatCount(troubles.length, 'photo')} under their original address or out of reach`,
  ]
  print(`${counts.join(', ')}. ${note}`.trim())
}
