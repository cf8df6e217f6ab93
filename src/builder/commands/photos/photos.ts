/** `npm run photos -- [options]`: works the queue of photos off, and asks whether those it knows have changed. */
import { existsSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { cleanText } from '../../../domain/documents/text.ts'
import { EXIT } from '../exit-codes.ts'
import { createProgress } from '../progress.ts'
import type { PhotoReport } from './run-photos.ts'
import { runPhotos } from './run-photos.ts'

const HELP = `
Photos that failed before are tried again when their time has come; the next rebuild renders the pages concerned.

Exit codes:
  0   done; photos that cannot be had are named and keep their original address
  2   wrong usage or configuration: nothing was done
  5   another run of this command is at work on this state

Environment (or .env): PHOTOS, PHOTO_HOSTS.`

const command = new Command('npm run photos --')
  .description('Make the pictures that catalogues show of their photos.')
  .option('--state <folder>', 'where the snapshot and the picture store are kept', '.vitrina')
  .option('--all', 'also photos whose time has not come')
  .option('--json', 'end with one JSON object, and write nothing else to stdout')
  .addHelpText('after', HELP)
  .exitOverride()

process.exitCode = await run(process.argv.slice(2))

async function run(args: readonly string[]): Promise<number> {
  const progress = createProgress('photos')
  const end = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end.abort())
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    command.parse([...args], { from: 'user' })
    const flags = command.opts<{ state: string; all?: boolean; json?: boolean }>()
    const report = await runPhotos({
      state: flags.state,
      isAll: flags.all === true,
      environment: process.env,
      signal: end.signal,
      progress: (text) => progress.update(text),
    })
    progress.done('')
    tell(report, flags.json === true)
    return EXIT.done
  } catch (error) {
    progress.done('')
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    return tellError(error)
  }
}

function tell(report: PhotoReport, isJson: boolean): void {
  const print = isJson ? console.error : console.log
  for (const { product, address, reason } of report.troubles)
    print(cleanText(`cataloge/${product}: ${address} ${reason}`))
  print(
    `${report.changed} pictures new or changed, ${report.unchanged} unchanged, ${report.drawn} drawn for shared links, ${report.troubles.length} photos under their original address or out of reach. ${report.note}`.trim(),
  )
  if (isJson) console.log(JSON.stringify(report))
}

function tellError(error: unknown): number {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  console.error(`photos: ${cleanText(message)}`)
  if (name === 'BusyError') return EXIT.busy
  return name === 'UsageError' ? EXIT.usage : EXIT.unfinished
}
