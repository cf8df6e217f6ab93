/** Composes a rebuild: options in, words or JSON out, exit code back. */
import { existsSync } from 'node:fs'
import { cleanText } from '../../../domain/documents/text.ts'
import { EXIT } from '../exit-codes.ts'
import type { Report } from './rebuild-report.ts'
import { createReport, formatReport } from './rebuild-report.ts'
import type { Outcome } from '../../rebuild/rebuild.ts'
import { dryRun, rebuild } from '../../rebuild/rebuild.ts'
import { formatOutcome, formatPlan } from './format-rebuild.ts'
import { isDamage } from '../../state/sqlite/result-codes.ts'
import type { OpenWorld } from './open-world.ts'
import { openWorld, removeState } from './open-world.ts'
import { createProgress } from '../progress.ts'
import type { CommandOptions } from './rebuild-options.ts'
import { parseOptions } from './rebuild-options.ts'

/** Never throws: what goes wrong is said once, and told by the exit code. */
export async function runRebuild(args: readonly string[]): Promise<number> {
  const isJson = args.includes('--json')
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    const options = parseOptions(args, process.env)
    if (options === null) return EXIT.done
    return options.isWatch ? await watch(options, isJson) : tell(await performOrHeal(options), isJson)
  } catch (error) {
    return tellError(error instanceof Error ? error : new Error(String(error)), isJson)
  }
}

interface Performance {
  readonly outcome: Outcome
  /** What else was done, for people. */
  readonly lines: readonly string[]
  /** The plan in words, empty unless it was asked for. */
  readonly plan: string
}

async function perform(options: CommandOptions): Promise<Performance> {
  const progress = createProgress('rebuild')
  let world: OpenWorld | null = null
  try {
    world = await openWorld(options, (text) => progress.update(text))
    if (options.isPending) return { ...(await performPending(options, world)), plan: '' }
    if (options.dryRun === 'no') {
      const outcome = await rebuild(world)
      return { outcome, lines: options.isDeploy ? await deploy(options) : [], plan: '' }
    }
    const outcome = await dryRun(world)
    return { outcome, lines: [], plan: formatPlan(outcome, options.dryRun === 'explain') }
  } finally {
    progress.done('')
    world?.close()
  }
}

// Loaded only by a run that needs it, as is what publishes.
async function performPending(
  options: CommandOptions,
  world: OpenWorld,
): Promise<Pick<Performance, 'outcome' | 'lines'>> {
  const [{ buildPending }, { openPending }, { formatStep }] = await Promise.all([
    import('../../publish/build-pending.ts'),
    import('./open-pending.ts'),
    import('../../publish/format-pending.ts'),
  ])
  const lines: string[] = []
  const outcome = await buildPending({
    world,
    ...openPending(options, world.progress),
    tell: (step) => void lines.push(...formatStep(step)),
  })
  return { outcome, lines }
}

async function deploy(options: CommandOptions): Promise<readonly string[]> {
  const { publishResult } = await import('./open-pending.ts')
  return publishResult(options, false)
}

/** A damaged snapshot or record is made anew: what they hold can be read and rendered again. */
async function performOrHeal(options: CommandOptions): Promise<Performance> {
  try {
    return await perform(options)
  } catch (error) {
    if (!isDamage(error)) throw error
    console.error('rebuild: the state is damaged and is made anew')
    removeState(options.state)
    return perform(options)
  }
}

async function watch(options: CommandOptions, isJson: boolean): Promise<number> {
  const { watchSource } = await import('./watch-source.ts')
  const world = await openWorld(options, () => {})
  const end = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end.abort())
  const tellOne = (report: Report, words: string): void => {
    const print = isJson ? console.error : console.log
    print(words)
    if (isJson) console.log(formatReport(report))
  }
  try {
    await watchSource({ world, source: options.configuration, tell: tellOne, signal: end.signal })
    return EXIT.done
  } finally {
    world.close()
  }
}

function tell({ outcome, lines, plan }: Performance, isJson: boolean): number {
  const report = createReport(outcome, Math.round(performance.now()))
  const print = isJson ? console.error : console.log
  if (plan !== '') print(plan)
  print([formatOutcome(outcome, report), ...lines].join('\n'))
  if (isJson) console.log(formatReport(report))
  return report.exit
}

function tellError(error: Error, isJson: boolean): number {
  const report = createReport(error, Math.round(performance.now()))
  const hint = report.exit === 2 ? ' (--help tells how to use it)' : ''
  console.error(`rebuild: ${cleanText(error.message)}${hint}`)
  if (isJson) console.log(formatReport(report))
  return report.exit
}
