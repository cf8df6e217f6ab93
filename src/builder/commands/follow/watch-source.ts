/** `rebuild --watch`: follows the source and rebuilds on every change. Keeps the state open and the code loaded. */
import { isDamage } from '../../result-codes.ts'
import { EXIT } from '../exit-codes.ts'
import type { RebuildReport } from '../rebuild/rebuild-report.ts'
import { createRebuildReport } from '../rebuild/rebuild-report.ts'
import type { DeliveredRebuild } from '../objects/rebuild-objects.ts'
import { formatOutcome } from '../rebuild/format-rebuild.ts'
import { showOnStderr } from '../rebuild/state-files.ts'
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
  /**
   * Rebuilds and, with `--deploy` in lane `objects`, delivers the objects. `openSource` opens the source itself, which
   * a comparison needs; `world.openSource` may read a copy in memory.
   */
  readonly perform: (world: World, openSource: World['openSource']) => Promise<Performed>
}

/** Only a delivery sets `delivery` and `lines`. */
type Performed = Pick<DeliveredRebuild, 'outcome'> & Partial<DeliveredRebuild>

/** Sellers whose changes are to be built; `all` for every change. */
type Todo = ReadonlySet<string> | 'all'

/**
 * Delay before another try after an error, in milliseconds, because a try may read the whole source. A change of the
 * source ends it early.
 */
const RETRY: Delay = { first: 2_000, longest: 10 * 60_000 }

/**
 * Resolves after `signal` has aborted and the current rebuild has ended. Rejects if the source cannot be followed, or
 * if the state is still damaged after a repair.
 */
export async function watchSource({ kept, source, perform, signal, ...watching }: Watching): Promise<void> {
  const say = createTeller(watching.tell)
  let { options } = watching
  let failures = 0
  const work = async (todo: Todo): Promise<Left<Todo> | null> => {
    const sellers = todo === 'all' ? options.sellers : [...todo]
    const { exit, hasShrunk } = await kept.use((world) => {
      const openSource = async () => cover(await world.openSource())
      const one = { ...world, openSource, options: { ...options, sellers } }
      return rebuildOnce(say, () => perform(one, world.openSource))
    })
    // `--allow-shrink` applies until a rebuild has needed it. `--full`, `--verify` and `--seller` apply until a rebuild
    // has been completed, even if pages failed in it.
    if (hasShrunk) options = { ...options, isShrinkAllowed: false }
    // Retries a refused change only after the data has changed.
    if (exit === EXIT.shrink) return { todo, pause: Infinity }
    if (exit !== EXIT.done && exit !== EXIT.pageFailed)
      return { todo, pause: growDelay(RETRY, (failures += 1), Math.random()) }
    failures = 0
    options = { ...options, isFull: false, isVerify: false, sellers: [] }
    return null
  }
  const { ring, run } = createFollower({ join, work, signal })
  const cover = await followSource(source, {
    signal,
    onTrouble: (message) => showOnStderr(`watch: ${message}`),
    onChange: (sellers) => void ring(sellers === null ? 'all' : new Set(sellers)),
  })
  ring('all')
  await run()
}

function join(one: Todo, other: Todo): Todo {
  return one === 'all' || other === 'all' ? 'all' : new Set([...one, ...other])
}

interface Attempt {
  readonly exit: number
  /** Whether the rebuild accepted a change that the shrink guard would refuse without `--allow-shrink`. */
  readonly hasShrunk: boolean
}

// Throws only errors that report a damaged state. Reports all other errors.
async function rebuildOnce(say: Watching['tell'], perform: () => Promise<Performed>): Promise<Attempt> {
  const start = performance.now()
  const passed = (): number => Math.round(performance.now() - start)
  try {
    const { outcome, delivery, lines = [] } = await perform()
    const report = createRebuildReport(outcome, passed(), delivery)
    say(report, [formatOutcome(outcome, report), ...lines].join('\n'))
    return { exit: report.exit, hasShrunk: outcome.preparation.read.hasShrunk }
  } catch (error) {
    if (isDamage(error)) throw error
    const report = createRebuildReport(toError(error), passed())
    say(report, report.error ?? '')
    return { exit: report.exit, hasShrunk: false }
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
