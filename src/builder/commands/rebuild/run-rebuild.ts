/** Runs a rebuild from its options, prints the report, and returns the exit code. */
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { dryRun, rebuild } from '../../rebuild/rebuild.ts'
import type { KeptWorld } from '../follow/kept-world.ts'
import { keepWorld } from '../follow/kept-world.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { formatOutcome, formatUnknownSellers, isIdle } from './format-rebuild.ts'
import { ROOT } from '../../state/project-folder.ts'
import { UsageError } from '../../state/usage-error.ts'
import type { OpenWorld } from './open-world.ts'
import { openWorld } from './open-world.ts'
import { DAMAGED, removeState } from './state-files.ts'
import { createRebuildReport, EMPTY_REPORT } from './rebuild-report.ts'
import type { BuildOptions } from '../options.ts'
import { configureRebuild, parseRebuildOptions } from './rebuild-options.ts'

export const command: CommandDefinition<BuildOptions> = {
  configure: configureRebuild,
  parse: parseRebuildOptions,
  run: async (options, terminal) =>
    options.isWatch ? watch(options, terminal) : tell(await perform(options, terminal), terminal),
  blank: EMPTY_REPORT,
}

interface Performance {
  readonly outcome: RebuildOutcome
  /** Further lines to print. */
  readonly lines: readonly string[]
  /** The formatted plan of a dry run; otherwise empty. */
  readonly plan: string
}

/**
 * If the state is damaged, repairs it and repeats the rebuild, which reads and renders the lost content again. A dry
 * run throws the error instead.
 */
async function perform(options: BuildOptions, terminal: Terminal): Promise<Performance> {
  const kept = keepOpenWorld(options, terminal, (text) => terminal.progress.update(text))
  try {
    return await kept.use((world) => performIn(world, options))
  } finally {
    kept.close()
  }
}

async function performIn(world: OpenWorld, options: BuildOptions): Promise<Performance> {
  if (options.isPending) return { ...(await performPending(options, world)), plan: '' }
  if (options.isDry) return performDry(options, world)
  const outcome = await rebuild(world)
  return { outcome, lines: options.isDeploy ? await deploy(options) : [], plan: '' }
}

function keepOpenWorld(
  options: BuildOptions,
  { warn }: Pick<Terminal, 'warn'>,
  progress: (text: string) => void,
): KeptWorld {
  return keepWorld(
    () => openWorld(options, progress, warn),
    (error) => {
      if (options.isDry) throw error
      warn(DAMAGED)
      removeState(options.state, warn)
    },
  )
}

// Imports its modules on use, so that other runs start fast.
async function performDry({ sellers, configuration }: BuildOptions, world: OpenWorld): Promise<Performance> {
  const [{ formatPlan, formatUnlinked }, { createExplainer }] = await Promise.all([
    import('./format-plan.ts'),
    import('../../rebuild/plan/explain-plan.ts'),
  ])
  const log = world.state.snapshot.logDifferences()
  const outcome = await dryRun(world)
  const explainer = createExplainer(world, outcome.preparation, log)
  const unlinked = formatUnlinked(sellers, configuration.site)
  return { outcome, lines: [], plan: [formatPlan(outcome, explainer), ...unlinked].join('\n') }
}

// Imports its modules on use, so that other runs start fast.
async function performPending(
  options: BuildOptions,
  world: OpenWorld,
): Promise<Pick<Performance, 'outcome' | 'lines'>> {
  const [{ buildWithPhotos }, { openPending }, { formatStep }] = await Promise.all([
    import('../../publish/pending/build-with-photos.ts'),
    import('./open-pending.ts'),
    import('../../publish/pending/format-pending.ts'),
  ])
  const lines: string[] = []
  const outcome = await buildWithPhotos({
    world,
    ...openPending(options, world.progress),
    tell: (step) => void lines.push(...formatStep(step)),
  })
  return { outcome, lines }
}

async function deploy(options: BuildOptions): Promise<readonly string[]> {
  const { publishResult } = await import('./open-pending.ts')
  return publishResult(options)
}

// Throws an `OutdatedError` if the code, which this process has loaded already, has changed. Checks this after each
// rebuild, because the check takes as long as a small rebuild.
async function watch(options: BuildOptions, terminal: Terminal): Promise<CommandResult> {
  const [{ watchSource }, { watchCode }] = await Promise.all([
    import('../follow/watch-source.ts'),
    import('../follow/project-code.ts'),
  ])
  const checkCode = watchCode(ROOT)
  const kept = keepOpenWorld(options, terminal, () => {})
  try {
    await watchSource({
      kept: {
        use: async (work) => {
          const result = await kept.use(work)
          checkCode()
          return result
        },
      },
      options,
      source: options.configuration,
      tell: (report, words) => {
        terminal.print(words)
        terminal.report(report)
      },
      signal: terminal.listenForEnd(),
      perform: rebuild,
    })
    return { exit: EXIT.done, report: { ...EMPTY_REPORT, ms: Math.round(performance.now()) } }
  } finally {
    kept.close()
  }
}

function tell({ outcome, lines, plan }: Performance, { print, warn, progress }: Terminal): CommandResult {
  const report = createRebuildReport(outcome, Math.round(performance.now()))
  const unknown = formatUnknownSellers(outcome.preparation.read.unknownSellers)
  progress.done('')
  if (unknown !== null && lines.length === 0 && isIdle(outcome)) throw new UsageError(unknown)
  if (plan !== '') print(plan)
  if (unknown !== null) warn(unknown)
  print([formatOutcome(outcome, report), ...lines].join('\n'))
  return { exit: report.exit, report }
}
