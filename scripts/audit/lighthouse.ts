/**
 * Measures pages with Lighthouse, and taps on the longest catalogue, as on a slow phone. Compares the medians with
 * limits.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { LocalServer } from '../local/local-server.ts'
import { createCountParser } from '../measure/parse-count.ts'
import { measurePages } from './lighthouse/measure-pages.ts'
import { formatTaps, isQuick, measureTaps } from './lighthouse/measure-taps.ts'
import { openLighthouse } from './lighthouse/open-lighthouse.ts'
import { formatScores, isWithinLimits } from './lighthouse/scores.ts'
import { LONGEST, PAGES, writeMeasuredSellers } from './lighthouse/measured-pages.ts'
import type { TemporarySite } from './temporary-site.ts'
import { openTemporarySite } from './temporary-site.ts'

interface LighthouseOptions {
  readonly runs: number
}

const FOLDER = join(ROOT, '.vitrina/lighthouse')
const REPORTS = join(FOLDER, 'reports')
const TOOL = { name: 'lighthouse', version: '13.5.0', folder: join(FOLDER, 'tool') }

export const command: CommandDefinition<LighthouseOptions> = {
  exits: ['done', 'attention', 'usage', 'unfinished'],
  configure: (parser) =>
    void parser.option(
      '--runs <n>',
      'runs of each page, of which the median is shown',
      createCountParser(1, 25),
      5,
    ),
  parse: ({ flags }) => ({ runs: flags['runs'] as number }),
  run: async ({ runs }, { print, warn, progress }) => {
    const { update } = progress
    const lighthouse = await openLighthouse(TOOL, update)
    update('Building the pages')
    const site = await openMeasuredSite()
    try {
      const options = { reports: REPORTS, runs, progress: update }
      const { pages, failures } = await measurePages(
        lighthouse,
        { origin: site.origin, pages: PAGES },
        options,
      )
      update('Measuring taps')
      const taps = await measureTaps(site.origin + LONGEST)
      progress.done('')
      print(
        `${formatScores(pages)}\n\n${formatTaps(taps)}\n\nThe table shows the median run of each page. Reports: ${REPORTS}`,
      )
      for (const { name, reason } of failures) warn(`${name} could not be measured: ${reason}`)
      const isGood = failures.length === 0 && pages.every(isWithinLimits) && taps.every(isQuick)
      return { exit: isGood ? EXIT.done : EXIT.attention }
    } finally {
      await site.close()
    }
  },
}

async function openMeasuredSite(): Promise<TemporarySite> {
  const photos = await servePhotos()
  const write = (folder: string): string => writeMeasuredSellers(folder, photos.origin)
  return openTemporarySite(write, photos.origin).finally(() => photos.close())
}

const DRAWINGS = join(ROOT, 'public/muestra')
const PHOTO = { width: 1200, height: 1500 } as const

/** Serves large photos made from the sample's drawings: `/arch-blue.jpg` from `arch-blue.svg`. */
function servePhotos(): Promise<LocalServer> {
  const server = new LocalServer(async ({ url = '' }, response) => {
    const drawing = join(DRAWINGS, `${/^\/([\w-]+)\.jpg$/.exec(url)?.[1] ?? ''}.svg`)
    if (!existsSync(drawing)) return void response.writeHead(404).end()
    const photo = await sharp(drawing).resize(PHOTO).jpeg({ quality: 85 }).toBuffer()
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo)
  })
  return server.start()
}
