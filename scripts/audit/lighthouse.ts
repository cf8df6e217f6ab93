/**
 * Measures pages with Lighthouse's own command, and taps on the longest catalogue, as on a slow phone. Compares the
 * medians with limits.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { SEARCH_PATH } from '../../src/domain/documents/page-table.ts'
import { formatCataloguePath } from '../../src/domain/pages/paths.ts'
import { LocalServer } from './local-server.ts'
import { installTool } from '../measure/install-tool.ts'
import { createCountParser } from '../measure/parse-count.ts'
import { runMeasured } from '../measure/run-measured.ts'
import { findMedian } from '../measure/figures.ts'
import { ensureChromium, FLAGS } from './chromium.ts'
import { formatTaps, isQuick, measureTaps } from './measure-taps.ts'
import type { TemporarySite } from './temporary-site.ts'
import { openTemporarySite } from './temporary-site.ts'
import type { WrittenData } from './write-sellers.ts'
import { repeatSample, writeSellers } from './write-sellers.ts'

interface LighthouseOptions {
  readonly runs: number
}

/** The parts of Lighthouse's report that are read here. Source: `LH.Result` in Lighthouse's types. */
interface LighthouseReport {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
}

interface MeasuredPage {
  readonly name: string
  readonly path: string
  /** Min points by category; 100 for any other category. */
  readonly least?: Readonly<Record<string, number>>
  /** True if the limits of `METRICS` do not apply. */
  readonly isLong?: boolean
}

const FOLDER = join(ROOT, '.vitrina/lighthouse')
const REPORTS = join(FOLDER, 'reports')
const TOOL = { name: 'lighthouse', version: '13.5.0', folder: join(FOLDER, 'tool') }
const CONFIG = join(ROOT, 'scripts/audit/lighthouse-config.mjs')

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
/** Max values: largest paint and blocking time in milliseconds, and the layout shift. */
const METRICS = {
  'largest-contentful-paint': 1_300,
  'total-blocking-time': 50,
  'cumulative-layout-shift': 0,
} as const

const SIZES = { ninguno: 0, treinta: 30, trescientos: 300 } as const
const LONGEST = formatCataloguePath('trescientos')

/** Empty catalogues and the search are deliberately closed to search engines. */
const PAGES: readonly MeasuredPage[] = [
  { name: 'home', path: '/' },
  { name: '0-products', path: formatCataloguePath('ninguno'), least: { seo: 0 } },
  { name: '30-products', path: formatCataloguePath('treinta') },
  { name: '300-products', path: LONGEST, least: { performance: 95 }, isLong: true },
  { name: 'search', path: `${SEARCH_PATH}?q=eau`, least: { seo: 0 } },
]

export const command: CommandDefinition<LighthouseOptions> = {
  configure: (parser) =>
    void parser.option(
      '--runs <n>',
      'runs of each page; the table shows medians',
      createCountParser(1, 25),
      5,
    ),
  parse: ({ flags }) => ({ runs: flags['runs'] as number }),
  run: async ({ runs }, { print, progress: { update, done } }) => {
    const tool = join(await installTool(TOOL, update), 'cli/index.js')
    const chromium = await ensureChromium()
    rmSync(REPORTS, { recursive: true, force: true })
    mkdirSync(REPORTS, { recursive: true })
    update('Building the pages')
    const site = await openMeasuredSite()
    try {
      const rows: (readonly string[])[] = [['', ...CATEGORIES, 'LCP ms', 'TBT ms', 'CLS', '']]
      for (const page of PAGES) {
        const reports: LighthouseReport[] = []
        for (let run = 1; run <= runs; run += 1) {
          update(`Measuring ${page.name}: ${run} of ${runs}`)
          const measure = (): Promise<LighthouseReport> =>
            measurePage(site.origin + page.path, `${page.name}-${run}`, { tool, chromium })
          // A busy machine may show no page in Lighthouse's time.
          reports.push(await measure().catch(measure))
        }
        rows.push(judgePage(page, reports))
      }
      update('Measuring taps')
      const taps = await measureTaps(site.origin + LONGEST)
      done('')
      print(`${rows.map(formatRow).join('\n')}\n\n${formatTaps(taps)}\n\nReports of all runs: ${REPORTS}`)
      const isGood = rows.slice(1).every((row) => row.at(-1) === 'ok') && taps.every(isQuick)
      return { exit: isGood ? EXIT.done : EXIT.attention }
    } finally {
      await site.close()
    }
  },
}

/** Runs Lighthouse in a fresh browser. Throws if it could not measure the page. */
async function measurePage(
  url: string,
  name: string,
  { tool, chromium }: { readonly tool: string; readonly chromium: string },
): Promise<LighthouseReport> {
  const browser = `--chrome-flags=${['--headless=new', ...FLAGS].join(' ')}`
  const file = join(REPORTS, name)
  const outputs = ['--output=json', '--output=html', `--output-path=${file}`]
  await runMeasured({
    args: [tool, url, `--config-path=${CONFIG}`, ...outputs, browser, '--quiet'],
    folder: FOLDER,
    environment: { CHROME_PATH: chromium },
  })
  return JSON.parse(readFileSync(`${file}.report.json`, 'utf8')) as LighthouseReport
}

/** Returns a row of the table. Its last cell says whether all medians are within the limits. */
function judgePage(
  { name, least = {}, isLong = false }: MeasuredPage,
  reports: readonly LighthouseReport[],
): readonly string[] {
  const points = CATEGORIES.map((category) =>
    findMedian(reports.map(({ categories }) => Math.round(100 * (categories[category]?.score ?? 0)))),
  )
  const values = Object.keys(METRICS).map((metric) =>
    findMedian(reports.map(({ audits }) => audits[metric]?.numericValue ?? NaN)),
  )
  const isGood =
    points.every((point, index) => point >= (least[CATEGORIES[index] ?? ''] ?? 100)) &&
    (isLong || Object.values(METRICS).every((most, index) => (values[index] ?? NaN) <= most))
  return [name, ...points.map(String), ...values.map(formatValue), isGood ? 'ok' : 'below']
}

function formatValue(value: number): string {
  return value < 1 ? value.toFixed(3) : value.toFixed(0)
}

function formatRow([name = '', ...cells]: readonly string[]): string {
  return `${name.padEnd(14)}${cells.map((cell) => cell.padStart(15)).join('')}`.trimEnd()
}

async function openMeasuredSite(): Promise<TemporarySite> {
  const photos = await servePhotos()
  const place = (data: WrittenData): WrittenData => {
    const drawing = /^\/muestra\/([\w-]+)\.svg$/.exec(String(data['photo']))?.[1]
    return drawing === undefined ? data : { ...data, photo: `${photos.origin}/${drawing}.jpg` }
  }
  const sellers = Object.entries(SIZES).map(([id, size]) => ({ id, products: repeatSample(size).map(place) }))
  return openTemporarySite((folder) => writeSellers(folder, sellers), photos.origin).finally(() =>
    photos.close(),
  )
}

/** Serves large photos made from the sample's drawings: `/arch-blue.jpg` from `arch-blue.svg`. */
function servePhotos(): Promise<LocalServer> {
  const server = new LocalServer(async ({ url = '' }, response) => {
    const name = /^\/([\w-]+)\.jpg$/.exec(url)?.[1] ?? ''
    const drawing = join(ROOT, 'public/muestra', `${name}.svg`)
    if (!existsSync(drawing)) return void response.writeHead(404).end()
    const photo = await sharp(drawing).resize({ width: 1200, height: 1500 }).jpeg({ quality: 85 }).toBuffer()
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo)
  })
  return server.start()
}
