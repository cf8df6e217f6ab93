/** Measures rebuilds beside other generators that make the same pages, the webhook, the watch, sites of objects, and the search. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Argument } from 'commander'
import type { CommandDefinition, CommandResult, Terminal } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import type { BenchReport } from './bench-report.ts'
import { createCountParser } from '../measure/parse-count.ts'
import { createBenchReport } from './bench-report.ts'
import { FULL, QUICK } from './bench-settings.ts'
import { formatBars } from './chart.ts'
import { formatBenchReport } from './format-bench.ts'
import { runBench } from './run-bench.ts'

/** What can be measured alone. */
const PARTS = ['webhook', 'watch', 'edge', 'search'] as const

export interface BenchOptions {
  readonly what: 'rebuilds' | (typeof PARTS)[number]
  readonly isQuick: boolean
  /** Whether the figures and the chart are written to docs/. */
  readonly isSaved: boolean
  readonly folder: string
  /** Of the larger site of objects. */
  readonly sellers: number | undefined
}

export const command: CommandDefinition<BenchOptions> = {
  configure: (parser) =>
    parser
      .addArgument(
        new Argument(
          '[what]',
          'webhook: notices accepted a second; watch: time from a change to its file; edge: a site of objects with 1,000 and with 50,000 sellers; search: queries over 250,000 products; default: rebuilds among 1,000, 10,000 and 100,000 sellers, and the same pages by Astro and Eleventy',
        ).choices(PARTS),
      )
      .option('--quick', 'measure fewer sellers, in about two minutes')
      .option('--sellers <n>', 'edge: sellers of the larger site', createCountParser(1_000, 1_000_000))
      .option('--save', 'keep the figures and the chart in docs/')
      .option(
        '--folder <folder>',
        'where to work; 13 GB free, 1 GB with --quick',
        join(tmpdir(), 'vitrina-bench'),
      )
      .addHelpText(
        'after',
        `${formatExitCodes('done', 'attention', 'usage', 'unfinished')}\n\nWith --quick a broken budget does not count.`,
      ),
  parse: ({ flags, words }) => ({
    what: PARTS.find((part) => part === words[0]) ?? 'rebuilds',
    isQuick: flags['quick'] === true,
    isSaved: flags['save'] === true,
    folder: String(flags['folder']),
    sellers: flags['sellers'] as number | undefined,
  }),
  run: (options, terminal) => BENCHES[options.what](options, terminal),
}

type Bench = (options: BenchOptions, terminal: Terminal) => Promise<CommandResult>

const BENCHES: Readonly<Record<BenchOptions['what'], Bench>> = {
  rebuilds: benchRebuilds,
  webhook: benchWebhook,
  watch: benchWatch,
  edge: benchEdge,
  search: benchSearch,
}

async function benchRebuilds(
  { isQuick, isSaved, folder }: BenchOptions,
  { print, progress }: Terminal,
): Promise<CommandResult> {
  const measured = await runBench(folder, isQuick ? QUICK : FULL, progress.update)
  progress.done('')
  const report = createBenchReport(measured)
  const saved = saveReport(report, isSaved ? join(ROOT, 'docs') : folder)
  print(`${formatBenchReport(report)}\n\nFigures and chart: ${saved.join(', ')}`)
  const isWithin = report.rows.every(({ budget }) => budget?.isKept !== false)
  return conclude(isWithin || isQuick)
}

async function benchWebhook({ folder }: BenchOptions, { print, progress }: Terminal): Promise<CommandResult> {
  const { runWebhook } = await import('./run-webhook.ts')
  const { text, isKept } = await runWebhook(folder)
  progress.done('')
  print(text)
  return conclude(isKept)
}

async function benchWatch({ folder }: BenchOptions, { print, progress }: Terminal): Promise<CommandResult> {
  const { measureWatch, formatWatch, WATCH_BUDGET } = await import('./measure-watch.ts')
  const figures = await measureWatch({
    folder: join(folder, 'watch'),
    sellers: 300,
    edits: 50,
    progress: progress.update,
  })
  progress.done('')
  print(figures.map(formatWatch).join('\n'))
  return conclude(figures.every(({ fromSeen }) => fromSeen <= WATCH_BUDGET))
}

async function benchEdge(
  { folder, isQuick, sellers }: BenchOptions,
  { print, progress, listenForEnd }: Terminal,
): Promise<CommandResult> {
  const { runEdge } = await import('./edge/run-edge.ts')
  const end = listenForEnd()
  const options = { folder: join(folder, 'edge'), isQuick, larger: sellers, end, progress: progress.update }
  const { text, isKept } = await runEdge(options)
  progress.done('')
  print(text)
  return conclude(isKept || isQuick)
}

async function benchSearch(
  { folder, isQuick }: BenchOptions,
  { print, progress }: Terminal,
): Promise<CommandResult> {
  const { runSearch } = await import('./run-search.ts')
  const { text, isKept } = await runSearch(folder, { isQuick, progress: progress.update })
  progress.done('')
  print(text)
  return conclude(isKept || isQuick)
}

function conclude(isWithinBudgets: boolean): CommandResult {
  return { exit: isWithinBudgets ? EXIT.done : EXIT.attention }
}

/** Returns the paths of the files written. */
function saveReport(report: BenchReport, folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true })
  const [figures, chart] = [join(folder, 'bench.json'), join(folder, 'bench.svg')]
  writeFileSync(figures, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(chart, formatBars(report))
  return [figures, chart]
}
