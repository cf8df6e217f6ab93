/** `rebuild --watch`: follows the source and rebuilds on every change. Keeps the state open and the code loaded. */
import { isDamage } from '../../result-codes.ts'
import { EXIT } from '../exit-codes.ts'
import type { RebuildReport } from '../rebuild/rebuild-report.ts'
import { createRebuildReport } from '../rebuild/rebuild-report.ts'
import { formatOutcome } from '../rebuild/format-rebuild.ts'
import { showOnStderr } from '../rebuild/state-files.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import type { RebuildOptions, World } from '../../rebuild/world.ts'
import type { Followed } from '../../sources/source-kinds.ts'
import { followSource } from '../../sources/source-kinds.ts'
import type { Left } from './follow.ts'
import { createFollower } from './follow.ts'
import type { KeptWorld } from './kept-world.ts'
import { toError } from '../../../domain/documents/errors.ts'
import type { Delay } from '../../../domain/wire/backoff.ts'
import { growDelay } from '../../../domain/wire/backoff.ts'

interface Watching {
  readonly kept: Pick<KeptWorld, 'use'>
  /** Options of the first rebuild. Some of them do not apply to later rebuilds. */
  readonly options: RebuildOptions
  readonly source: Followed
  /**
   * Called after each rebuild, unless it failed with the same error as the rebuild before it. `words` is the text to
   * print.
   */
  readonly tell: (report: RebuildReport, words: string) => void
  readonly signal: AbortSignal
  readonly perform: (world: World) => Promise<RebuildOutcome>
}

/** Sellers whose changes are to be built; `all` for every change. */
type Todo = ReadonlySet<string> | 'all'

/**
 * Delay before another try after an error, in milliseconds, because a try may read the whole source. A change of the
 * source ends it early.
 */
const RETRY: Delay = { first: 2_000, longest: 10 * 60_000 }

/**
 * Resolves after `signal` has aborted and the current rebuild has ended. Rejects if the source cannot be followed, if
 * the state is still damaged after a repair, or if `kept` refuses a rebuild.
 */
export async function watchSource({ kept, source, perform, signal, ...watching }: Watching): Promise<void> {
  const say = createTeller(watching.tell)
  let { options } = watching
  let failures = 0
  const work = async (todo: Todo): Promise<Left<Todo> | null> => {
    const sellers = todo === 'all' ? options.sellers : [...todo]
    const exit = await kept.use((world) => {
      const reading = {
        ...world,
        options: { ...options, sellers },
        openSource: async () => cover(await world.openSource()),
        // `--allow-shrink` applies until a read has needed it.
        noteShrink: () => void (options = { ...options, isShrinkAllowed: false }),
      }
      return rebuildOnce(say, () => perform(reading))
    })
    // Retries a refused change only after the data has changed.
    if (exit === EXIT.shrink) return { todo, pause: Infinity }
    // Usually another process has the locks, and nothing was read.
    if (exit === EXIT.busy) return { todo, pause: RETRY.first }
    if (exit !== EXIT.done && exit !== EXIT.pageFailed)
      return { todo, pause: growDelay(RETRY, (failures += 1), Math.random()) }
    failures = 0
    // `--full`, `--verify` and `--seller` apply until a rebuild has been completed, even if pages failed in it.
    options = { ...options, isFull: false, isVerify: false, sellers: [] }
    return null
  }
  const { ring, run } = createFollower({ join, work, signal })
  const ending = new AbortController()
  const cover = await followSource(source, {
    signal: AbortSignal.any([signal, ending.signal]),
    onTrouble: (message) => showOnStderr(`watch: ${message}`),
    onChange: (sellers) => void ring(sellers === null ? 'all' : new Set(sellers)),
  })
  ring('all')
  // If the work rejects, the source must not be followed any longer, because that would keep the process alive.
  await run().finally(() => ending.abort())
}

function join(one: Todo, other: Todo): Todo {
  return one === 'all' || other === 'all' ? 'all' : new Set([...one, ...other])
}

// Returns the exit code. Throws only errors that report a damaged state. Reports all other errors.
async function rebuildOnce(say: Watching['tell'], perform: () => Promise<RebuildOutcome>): Promise<number> {
  const start = performance.now()
  const passed = (): number => Math.round(performance.now() - start)
  try {
    const outcome = await perform()
    const report = createRebuildReport(outcome, passed())
    say(report, formatOutcome(outcome, report))
    return report.exit
  } catch (error) {
    if (isDamage(error)) throw error
    const report = createRebuildReport(toError(error), passed())
    say(report, report.error ?? '')
    return report.exit
  }
}

// Reports an error only once if it repeats.
function createTeller(tell: Watching['tell']): Watching['tell'] {
  let last: string | null = null
  return (report, words) => {
    if (report.error === null || report.error !== last) tell(report, words)
    last = report.error
  }
}
