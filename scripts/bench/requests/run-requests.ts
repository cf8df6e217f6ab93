/** Runs the bench of requests, and compares its figures with the processor time that Workers Free allows a request. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseConfiguration } from '../../../src/builder/commands/configuration.ts'
import { hashInputs } from '../../../src/builder/commands/rebuild/open-renderers.ts'
import { captureNode } from '../../measure/run-tool.ts'
import { generateWorker } from '../../../src/builder/publish/worker/prepare-worker.ts'
import { compileRenderer } from '../../../src/builder/renderer/compile.ts'
import { ROOT, STORE } from '../../../src/builder/state/project-folder.ts'
import type { BenchTools, JudgedPromise, Verdict } from '../verdict.ts'
import { judge } from '../verdict.ts'
import type { RequestFigure } from './measure-requests.ts'

/**
 * `rounds`: requests of each repeated kind. `starts`: how often the Worker is started to measure the first search.
 * 1,000 sellers have about 25,000 products.
 */
const FULL = { sellers: 1_000, rounds: 200, starts: 5 }
const QUICK = { sellers: 100, rounds: 50, starts: 3 }
/** Max processor time of a request, in ms. Source: https://developers.cloudflare.com/workers/platform/limits/ */
const FREE = 10

const HOST = fileURLToPath(new URL('host-requests.ts', import.meta.url))
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')

export async function benchRequests({ folder, isQuick, progress }: BenchTools): Promise<Verdict> {
  const { sellers, rounds, starts } = isQuick ? QUICK : FULL
  progress('Bundling the Worker')
  const bundle = await bundleWorker(folder)
  const first: RequestFigure[] = []
  for (let start = 1; start <= starts; start += 1) {
    progress(`Starting the Worker: ${start} of ${starts}`)
    first.push(...(await measure(bundle)))
  }
  progress(`Measuring requests among ${sellers} sellers`)
  const figures = await measure(bundle, '--sellers', String(sellers), '--rounds', String(rounds))
  return judge(
    'Processor time of a request: first in the Worker, then in its Durable Objects. The limit of Workers Free applies to each of them separately:',
    ...[findMedian(first), ...figures].map(judgeFigure),
  )
}

/** Bundles the Worker as a publish would, and returns the path of the bundle. */
async function bundleWorker(folder: string): Promise<string> {
  const kept = await compileRenderer({ root: ROOT, store: STORE, code: hashInputs() }, hashInputs)
  const output = join(folder, 'dist')
  mkdirSync(output, { recursive: true })
  writeFileSync(join(output, 'index.html'), 'home')
  const { site } = parseConfiguration({}, [])
  const { configuration } = generateWorker({ root: ROOT, folder: join(folder, 'worker'), output, kept, site })
  const made = join(folder, 'bundle')
  const run = await captureNode([
    WRANGLER,
    'deploy',
    '--dry-run',
    '--outdir',
    made,
    '--config',
    configuration,
  ])
  if (run.code !== 0) throw new Error(`the Worker cannot be bundled: ${run.output}`)
  return join(made, 'worker.js')
}

async function measure(bundle: string, ...options: readonly string[]): Promise<readonly RequestFigure[]> {
  const run = await captureNode([HOST, '--bundle', bundle, ...options])
  if (run.code !== 0) throw new Error(`the Worker cannot be measured: ${run.output}`)
  return JSON.parse(run.output) as readonly RequestFigure[]
}

function findMedian(figures: readonly RequestFigure[]): RequestFigure {
  const sorted = figures.toSorted((a, b) => a.worker - b.worker)
  const middle = sorted[sorted.length >> 1]
  if (middle === undefined) throw new Error('nothing was measured')
  return middle
}

function judgeFigure({ kind, worker, objects }: RequestFigure): JudgedPromise {
  const words = [worker, objects].map((time) => `${time.toFixed(1)} ms`.padStart(8)).join('  ')
  return { words: `${words}  ${kind}`, isKept: worker <= FREE && objects <= FREE }
}
