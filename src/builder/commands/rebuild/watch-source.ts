/** `rebuild --watch`: follows the source and rebuilds on every change, with open state and loaded code. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { isDamage } from '../../state/sqlite/result-codes.ts'
import { EXIT } from '../exit-codes.ts'
import type { RebuildReport } from './rebuild-report.ts'
import { createRebuildReport } from './rebuild-report.ts'
import type { DeliveryOutcome } from '../../publish/objects/delivery.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { formatOutcome } from './format-rebuild.ts'
import { showOnStderr } from './state-files.ts'
import type { World } from '../../rebuild/world.ts'
import type { Followed } from '../../sources/follow-source.ts'
import { followSource } from '../../sources/follow-source.ts'
import { toError } from '../../../domain/documents/errors.ts'

export interface Watching {
  readonly world: World
  readonly source: Followed
  /** Called after each rebuild; `words` are for people. */
  readonly tell: (report: RebuildReport, words: string) => void
  readonly signal: AbortSignal
  /** Rebuilds, and delivers if asked for. `openSource` opens the source itself: that of the world may read a copy. */
  readonly perform: (world: World, openSource: World['openSource']) => Promise<Performed>
  /** Returns a world with a sound state in place of the one whose rebuild found damage. */
  readonly heal: (error: unknown) => Promise<World>
}

interface Performed {
  readonly outcome: RebuildOutcome
  readonly delivery?: DeliveryOutcome
  /** Further lines for people. */
  readonly lines?: readonly string[]
}

/** The work to do: all changes, only these sellers, or nothing. */
type Waiting = ReadonlySet<string> | 'all' | null

/** Delay before another try after an error, in milliseconds. A change of the source ends it early. */
const RETRY = 2_000

/** Resolves after `signal` has aborted and the current rebuild has ended. */
export async function watchSource(watching: Watching): Promise<void> {
  const { world: first, source, signal, perform, heal } = watching
  let waiting: Waiting = 'all'
  const bell = new EventTarget()
  const ring = (): boolean => bell.dispatchEvent(new Event('change'))
  signal.addEventListener('abort', ring)
  const cover = await followSource(source, {
    signal,
    onTrouble: (message) => showOnStderr(`watch: ${message}`),
    onChange: (sellers) => {
      waiting = gather(waiting, sellers)
      ring()
    },
  })
  let world = first
  const openSource = async () => cover(await world.openSource())
  const say = createTeller(watching.tell)
  let { options } = world
  while (!signal.aborted) {
    const todo: Waiting = waiting
    waiting = null
    if (todo === null) {
      await once(bell, 'change')
      continue
    }
    const sellers = todo === 'all' ? options.sellers : [...todo]
    const attempt = (): Promise<Attempt> =>
      rebuildOnce(say, () =>
        perform({ ...world, openSource, options: { ...options, sellers } }, world.openSource),
      )
    const { exit, hasShrunk } = await attempt().catch(async (error: unknown) => {
      world = await heal(error)
      return attempt()
    })
    // The leave is for the first change that needs it, the other options for the first successful rebuild.
    if (hasShrunk) options = { ...options, isShrinkAllowed: false }
    if (exit === EXIT.done || exit === EXIT.pageFailed)
      options = { ...options, isFull: false, isVerify: false, sellers: [] }
    else {
      // A change that arrived meanwhile has already rung.
      const isStale = waiting !== null
      waiting = gather(waiting, todo === 'all' ? null : [...todo])
      if (!isStale && !signal.aborted) await waitToTryAgain(exit, bell)
    }
  }
}

// A refused change is not tried again before the data changes.
async function waitToTryAgain(exit: number, bell: EventTarget): Promise<void> {
  const change = once(bell, 'change')
  await (exit === EXIT.shrink ? change : Promise.race([change, wait(RETRY, undefined, { ref: false })]))
}

function gather(waiting: Waiting, sellers: readonly string[] | null): Waiting {
  if (waiting === 'all' || sellers === null) return 'all'
  return new Set([...(waiting ?? []), ...sellers])
}

interface Attempt {
  readonly exit: number
  /** Whether it accepted a change that the shrink guard refuses without leave. */
  readonly hasShrunk: boolean
}

// Throws the errors of a damaged state only.
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

// A repeated error is reported once.
function createTeller(tell: Watching['tell']): Watching['tell'] {
  let last: string | null = null
  return (report, words) => {
    if (report.error === null || report.error !== last) tell(report, words)
    last = report.error
  }
}
