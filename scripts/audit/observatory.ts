/** `npm run observatory`: what Mozilla's HTTP Observatory gives the served headers; exit code 1 below 100. */
import { join } from 'node:path'
import { Command } from 'commander'
import { formatCataloguePath } from '../../src/domain/pages/paths.ts'
import { installTool } from './install-tool.ts'
import { scorePages } from './score-headers.ts'
import { createProgress } from '../../src/builder/commands/progress.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { openTemporarySite } from './temporary-site.ts'

const TOOL = {
  name: '@mdn/mdn-http-observatory',
  version: '1.4.8',
  folder: join(ROOT, '.vitrina/observatory'),
}
const PATHS = ['/', formatCataloguePath('1'), formatCataloguePath('nobody'), '/nothing', '/robots.txt']
const WANTED = 100

new Command('npm run observatory --')
  .description("Score the sample's pages as Mozilla's HTTP Observatory does, on the local edge.")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse()

const progress = createProgress('observatory')
const say = (text: string): void => progress.update(text)
try {
  const tool = await installTool(TOOL, say)
  say('Building the sample')
  const site = await openTemporarySite(() => join(ROOT, 'src/builder/sources/sample'))
  try {
    const scores = await scorePages(tool, site.origin, PATHS)
    progress.done('')
    for (const { path, score, lost } of scores) console.log([path.padEnd(20), score, ...lost].join('  '))
    process.exitCode = scores.every(({ score }) => score >= WANTED) ? 0 : 1
  } finally {
    await site.close()
  }
} catch (error) {
  progress.fail('')
  console.error(`observatory: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
