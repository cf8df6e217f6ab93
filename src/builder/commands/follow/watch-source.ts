/** Follows the source and rebuilds on every change: `rebuild --watch`. Keeps the state open and the code loaded. */
import { toError } from '../../../domain/documents/errors.ts'
import type { Delay } from '../../../domain/work/backoff.ts'
import { growDelay } from '../../../domain/work/backoff.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { rebuild } from '../../rebuild/rebuild.ts'
import { isDamage } from '../../result-codes.ts'
import { followSource } from '../../sources/source-kinds.ts'
import { BusyError } from '../../state/locks.ts'
import type { CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { formatOutcome } from '../rebuild/format-rebuild.ts'
import type { KeptWorld } from '../rebuild/kept-world.ts'
import { keepWorld } from '../rebuild/kept-world.ts'
import { OutdatedError } from '../rebuild/page-inputs.ts'
import type { BuildOptions } from '../rebuild/rebuild-options.ts'
import { createRebuildReport, EMPTY_REPORT } from '../rebuild/rebuild-report.ts'
import { createFollower } from './follow.ts'

/** Milliseconds until another try after an error, because a try may read the whole source. A change ends the wait. */
const RETRY: Delay = { first: 2_000, longest: 10 * 60_000 }

export interface Following {
  readonly options: BuildOptions
  readonly kept: KeptWorld
  readonly terminal: Pick<Terminal, 'print' | 'warn' | 'report'>
  /** True if a rebuild has just ended, so that a first one without changes is no news. */
  readonly isBuilt: boolean
  /** Ends the watch between two rebuilds. */
  readonly signal: AbortSignal
  /** Called after each rebuild that did not reject. Returns milliseconds until another; `null` for none. */
  readonly onRebuilt: (outcome: RebuildOutcome) => Promise<number | null>
}

/** `rebuild --watch`: ends between two rebuilds at the first signal. */
export async function watchSource(options: BuildOptions, terminal: Terminal): Promise<CommandResult> {
  const kept = keepWorld(options, { progress: () => {}, warn: terminal.warn })
  try {
    const signal = terminal.listenForEnd()
    await followAndRebuild({ options, kept, terminal, signal, isBuilt: false, onRebuilt: async () => null })
    return { exit: EXIT.done, report: { ...EMPTY_REPORT, ms: Math.round(performance.now()) } }
  } finally {
    kept.close()
  }
}

/**
 * Rebuilds at once and after every change. Rejects if the source cannot be followed, if the folders are in use, if the
 * state is damaged again after its removal, or if the project's code has changed.
 */
export async function followAndRebuild(following: Following): Promise<void> {
  const { options, terminal } = following
  const ending = new AbortController()
  const signal = AbortSignal.any([following.signal, ending.signal])
  const { ring, run } = createFollower({ work: createWork(following), signal })
  try {
    await followSource(options.configuration.source, {
      signal,
      onTrouble: (message) => terminal.warn(`watch: ${message}`),
      onChange: ring,
    })
    ring()
    await run()
  } finally {
    // Otherwise following the source would keep the process alive.
    ending.abort()
  }
}

function createWork({
  options,
  kept,
  terminal,
  isBuilt,
  onRebuilt,
}: Following): () => Promise<number | null> {
  const tell = createTeller(options, terminal, isBuilt ? null : undefined)
  let given = options
  let failures = 0
  return async () => {
    const start = performance.now()
    const result = await kept.use((world) => rebuild({ ...world, options: given })).catch(toError)
    if (isDamage(result) || result instanceof BusyError || result instanceof OutdatedError) throw result
    const exit = tell(result, Math.round(performance.now() - start))
    if (result instanceof Error) {
      // A refused change is tried again only after another change.
      return exit === EXIT.shrink ? null : growDelay(RETRY, (failures += 1), Math.random())
    }
    failures = 0
    // These apply until a rebuild has ended, even if pages failed in it.
    given = { ...options, isFull: false, isShrinkAllowed: false, sellers: [] }
    return (await onRebuilt(result)) ?? findPause(result)
  }
}

/** Returns milliseconds until the first failed seller is due; `null` if there is none. */
function findPause({ failed }: RebuildOutcome): number | null {
  if (failed.length === 0) return null
  return Math.max(RETRY.first, Math.min(...failed.map(({ next }) => next)) - Date.now())
}

/**
 * Returns a function that prints the result and returns the exit code. It prints neither the same error twice, nor that
 * there was nothing to do after a rebuild that worked.
 */
function createTeller(
  { configuration: { site } }: BuildOptions,
  terminal: Pick<Terminal, 'print' | 'report'>,
  last: string | null | undefined,
): (result: RebuildOutcome | Error, ms: number) => number {
  let told = last
  return (result, ms) => {
    const report = createRebuildReport(result, ms)
    const isError = result instanceof Error
    const isNews = isError || result.isIdle ? report.error !== told : true
    if (isNews) {
      terminal.print(isError ? (report.error ?? '') : formatOutcome(result, site, ms))
      terminal.report(report)
    }
    told = report.error
    return report.exit
  }
}
