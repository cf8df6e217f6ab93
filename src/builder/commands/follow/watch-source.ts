/** Follows the source and rebuilds on every change: `rebuild --watch`. Keeps the state open and the code loaded. */
import { toError } from '../../../domain/documents/errors.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { Delay } from '../../../domain/work/backoff.ts'
import { growDelay } from '../../../domain/work/backoff.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { rebuild } from '../../rebuild/rebuild.ts'
import { isDamage } from '../../result-codes.ts'
import { BusyError } from '../../state/locks.ts'
import type { CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { formatOutcome } from '../rebuild/format-rebuild.ts'
import type { KeptWorld } from '../rebuild/open-world.ts'
import { keepWorld } from '../rebuild/open-world.ts'
import { OutdatedError } from '../rebuild/page-inputs.ts'
import type { BuildOptions } from '../rebuild/rebuild-options.ts'
import { createRebuildReport } from '../rebuild/rebuild-report.ts'
import { followChanges } from './follow.ts'

/** Milliseconds until another try after an error, because a try may read the whole source. A change ends the wait. */
const RETRY: Delay = { first: 2_000, longest: 10 * 60_000 }

export interface Following {
  readonly options: BuildOptions
  readonly kept: KeptWorld
  readonly terminal: Pick<Terminal, 'print' | 'warn' | 'report'>
  /** Ends the watch between two rebuilds. */
  readonly signal: AbortSignal
  /** True if a rebuild has just ended, so that a first one without changes is no news. */
  readonly isBuilt: boolean
  /** Called after each rebuild that did not reject. Returns milliseconds until another; `null` for none. */
  readonly onRebuilt?: (outcome: RebuildOutcome) => Promise<number | null>
}

/** `rebuild --watch`: ends between two rebuilds at the first signal. */
export async function watchSource(options: BuildOptions, terminal: Terminal): Promise<CommandResult> {
  using kept = keepWorld(options, { progress: () => {}, warn: terminal.warn })
  await followAndRebuild({ options, kept, terminal, signal: terminal.listenForEnd(), isBuilt: false })
  return { exit: EXIT.done }
}

/**
 * Rebuilds at once and after every change. Rejects if the source cannot be followed, if the folders are in use, if the
 * state is damaged again after its removal, or if the project's code has changed.
 */
export function followAndRebuild({ onRebuilt, isBuilt, ...following }: Following): Promise<void> {
  const { options, kept, terminal, signal } = following
  const { source, site } = options.configuration
  let given = options
  let failures = 0
  /** The last error; `undefined` before the first result. An error is printed once, and then that it has passed. */
  let told: string | null | undefined = isBuilt ? null : undefined
  const work = async (): Promise<number | null> => {
    const start = performance.now()
    const result = await kept.use((world) => rebuild({ ...world, options: given })).catch(toError)
    if (isDamage(result) || result instanceof BusyError || result instanceof OutdatedError) throw result
    const report = createRebuildReport(result, performance.now() - start)
    const isChange = !(result instanceof Error) && !result.isIdle
    if (isChange || report.error !== told) {
      terminal.print(
        result instanceof Error ? cleanText(result.message) : formatOutcome(result, site, report.ms),
      )
      terminal.report(report)
    }
    told = report.error
    // A refused change is tried again only after another change.
    if (report.exit === EXIT.shrink) return null
    if (result instanceof Error) return growDelay(RETRY, (failures += 1), Math.random())
    failures = 0
    // These apply until a rebuild has ended, even if pages failed in it.
    given = { ...options, isFull: false, isShrinkAllowed: false, sellers: [] }
    return (await onRebuilt?.(result)) ?? findPause(result)
  }
  return followChanges({ source, signal, warn: (message) => terminal.warn(`watch: ${message}`), work })
}

/** Returns milliseconds until the first failed seller is due; `null` if there is none. */
function findPause({ failed }: RebuildOutcome): number | null {
  if (failed.length === 0) return null
  return Math.max(RETRY.first, Math.min(...failed.map(({ next }) => next)) - Date.now())
}
