/** `npm run bench`: how long a rebuild takes, beside other generators making the same pages. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Argument, Command } from 'commander'
import { formatBars } from './chart.ts'
import { createBenchReport } from './bench-report.ts'
import { runBench } from './run-bench.ts'
import { saveReport } from './save.ts'
import { FULL, QUICK } from './bench-settings.ts'
import { formatBenchReport } from './format-bench.ts'
import { createProgress } from '../../src/builder/commands/progress.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'

const command = new Command('npm run bench --')
  .description(
    'Measure rebuilds among 1,000, 10,000 and 100,000 sellers, and the same pages by Astro and Eleventy.',
  )
  .addArgument(
    new Argument(
      '[what]',
      'webhook: how many notices a second the site takes; watch: how soon a change is in its file',
    ).choices(['webhook', 'watch']),
  )
  .option('--quick', 'a look at fewer sellers, in less than two minutes')
  .option('--save', 'keep the figures and the chart in docs/')
  .option(
    '--folder <folder>',
    'where to work; 13 GB free, 1 GB with --quick',
    join(tmpdir(), 'vitrina-bench'),
  )
  .addHelpText(
    'after',
    '\nExit codes: 0 within the budgets, or --quick; 1 over one of them, or failed; 2 wrong usage.',
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse()
const options = command.opts<{ quick?: boolean; save?: boolean; folder: string }>()

const progress = createProgress('bench')
const benches: Readonly<Record<string, () => Promise<number>>> = { webhook: benchWebhook, watch: benchWatch }
try {
  process.exitCode = await (benches[command.args[0] ?? ''] ?? benchRebuilds)()
} catch (error) {
  progress.fail('')
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function benchRebuilds(): Promise<number> {
  const settings = options.quick === true ? QUICK : FULL
  const measured = await runBench(options.folder, settings, (text) => progress.update(text))
  progress.done('')
  const report = createBenchReport(measured)
  const saved = saveReport(
    report,
    formatBars(report),
    options.save === true ? join(ROOT, 'docs') : options.folder,
  )
  console.log(`${formatBenchReport(report)}\n\nFigures and chart: ${saved.join(', ')}`)
  const isOver = report.rows.some(({ budget }) => budget?.isKept === false)
  return isOver && !settings.isQuick ? 1 : 0
}

async function benchWebhook(): Promise<number> {
  const { runWebhook } = await import('./run-webhook.ts')
  const { text, isKept } = await runWebhook(options.folder)
  progress.done('')
  console.log(text)
  return isKept ? 0 : 1
}

async function benchWatch(): Promise<number> {
  const { measureWatch, formatWatch, WATCH_BUDGET } = await import('./measure-watch.ts')
  const folder = join(options.folder, 'watch')
  const figures = await measureWatch({ folder, sellers: 300, edits: 50, progress: progress.update })
  progress.done('')
  console.log(figures.map(formatWatch).join('\n'))
  return figures.every(({ fromSeen }) => fromSeen <= WATCH_BUDGET) ? 0 : 1
}
