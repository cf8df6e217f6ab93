/** `npm run lighthouse`: what Lighthouse says of the pages on a phone, as medians; exit code 1 below what is wanted. */
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { installTool } from './install-tool.ts'
import { measurePages } from './lighthouse/measure-pages.ts'
import { formatScores, isAsWanted } from './lighthouse/scores.ts'
import { servePhotos } from './lighthouse/photo-server.ts'
import { PAGES, writeSellers } from './lighthouse/write-sellers.ts'
import { createProgress } from '../../src/builder/commands/progress.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { openTemporarySite } from './temporary-site.ts'

const FOLDER = join(ROOT, '.vitrina/lighthouse')
const TOOL = { name: 'lighthouse', version: '13.5.0', folder: join(FOLDER, 'tool') }

const command = new Command('npm run lighthouse --')
  .description('Measure home and catalogues of 0, 30 and 300 products on a slow phone, and keep the reports.')
  .option('--runs <number>', 'how often each page is measured', parseRuns, 5)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse()
const { runs } = command.opts<{ runs: number }>()

const progress = createProgress('lighthouse')
const say = (text: string): void => progress.update(text)
try {
  const tool = join(await installTool(TOOL, say), 'cli/index.js')
  say('Building the pages')
  const photos = await servePhotos()
  const write = (folder: string): string => writeSellers(folder, photos.origin)
  const site = await openTemporarySite(write, photos.origin).finally(photos.close)
  try {
    const reports = join(FOLDER, 'reports')
    const pages = await measurePages(site.origin, PAGES, { tool, reports, runs, progress: say })
    progress.done('')
    console.log(`${formatScores(pages)}\n\nMedians of ${runs}. Reports: ${reports}`)
    process.exitCode = pages.every(isAsWanted) ? 0 : 1
  } finally {
    await site.close()
  }
} catch (error) {
  progress.fail('')
  console.error(`lighthouse: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

function parseRuns(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0 && number <= 25) return number
  throw new InvalidArgumentError('A number from 1 to 25.')
}
