/** Composes a rebuild: options in, words or JSON out, exit code back. */
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { dryRun, rebuild } from '../../rebuild/rebuild.ts'
import { isDamage } from '../../state/sqlite/result-codes.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { formatOutcome, formatPlan } from './format-rebuild.ts'
import type { OpenWorld } from './open-world.ts'
import { openWorld, removeState } from './open-world.ts'
import type { RebuildReport } from './rebuild-report.ts'
import { createRebuildReport, EMPTY_REPORT } from './rebuild-report.ts'
import type { CommandOptions } from './rebuild-options.ts'
import { configureRebuild, parseRebuildOptions } from './rebuild-options.ts'

export const command: CommandDefinition<CommandOptions> = {
  configure: configureRebuild,
  parse: parseRebuildOptions,
  run: async (options, terminal) =>
    options.isWatch ? watch(options, terminal) : tell(await performOrHeal(options, terminal), terminal),
  blank: EMPTY_REPORT,
}

interface Performance {
  readonly outcome: RebuildOutcome
  /** What else was done, for people. */
  readonly lines: readonly string[]
  /** The plan in words, empty unless it was asked for. */
  readonly plan: string
}

async function perform(options: CommandOptions, { progress }: Terminal): Promise<Performance> {
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
async function performOrHeal(options: CommandOptions, terminal: Terminal): Promise<Performance> {
  try {
    return await perform(options, terminal)
  } catch (error) {
    if (!isDamage(error)) throw error
    terminal.warn('rebuild: the state is damaged and is made anew')
    removeState(options.state)
    return perform(options, terminal)
  }
}

async function watch(options: CommandOptions, terminal: Terminal): Promise<CommandResult> {
  const { watchSource } = await import('./watch-source.ts')
  const world = await openWorld(options, () => {})
  const signal = terminal.listenForEnd()
  const tellOne = (report: RebuildReport, words: string): void => {
    terminal.print(words)
    terminal.report(report)
  }
  try {
    await watchSource({ world, source: options.configuration, tell: tellOne, signal })
    return { exit: EXIT.done, report: { ...EMPTY_REPORT, ms: Math.round(performance.now()) } }
  } finally {
    world.close()
  }
}

function tell({ outcome, lines, plan }: Performance, { print, progress }: Terminal): CommandResult {
  const report = createRebuildReport(outcome, Math.round(performance.now()))
  progress.done('')
  if (plan !== '') print(plan)
  print([formatOutcome(outcome, report), ...lines].join('\n'))
  return { exit: report.exit, report }
}
