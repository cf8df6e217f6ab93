/** Kills runs at their steps and at random instants, and checks that the next runs repair the site. */
import { explainDifference, fail } from '../difference.ts'
import type { Sandbox, Sandboxes } from './sandboxes.ts'
import { runInSandbox } from './sandboxes.ts'
import type { Prepared } from './prepare-scenario.ts'
import { strikeScenarios } from './prepare-scenario.ts'
import type { Random } from '../../measure/random.ts'
import { createRandom } from '../../measure/random.ts'
import type { RecoveryOrder } from './recover.ts'
import { checkRecovery } from './recover.ts'
import type { Scenario } from './scenarios.ts'

interface CrashOptions {
  readonly scenarios: readonly Scenario[]
  /**
   * Number of kills, divided evenly among the scenarios and rounded up for each. In each scenario, the kills at steps
   * (changes of files, and statements that make changes durable) come first, then kills at random instants.
   */
  readonly kills: number
  /** Max kills at steps in each scenario, spread over the run. Large scenarios have none. */
  readonly steps: number
  readonly seed: number
  readonly progress: (text: string) => void
}

interface CrashFigures {
  readonly steps: number
  readonly instants: number
  /** Kills at random instants that came after the end of the run. */
  readonly late: number
}

type Kill =
  | { readonly at: number; readonly action: 'kill' | 'kill half-way'; readonly order: RecoveryOrder }
  | { readonly after: number; readonly order: RecoveryOrder }

/** Throws a `Difference` that describes the first kill after which the site is not repaired. */
export async function proveCrash(sandboxes: Sandboxes, options: CrashOptions): Promise<CrashFigures> {
  const { scenarios, kills, seed, progress } = options
  const random = createRandom(seed)
  const figures = { steps: 0, instants: 0, late: 0 }
  await strikeScenarios(sandboxes, {
    scenarios,
    chooseCounts: () => 'steps',
    list: (prepared) =>
      createKills(prepared, { share: Math.ceil(kills / scenarios.length), steps: options.steps, random }),
    strike: async (prepared, kill, sandbox) => {
      const isLate = await killOnce(prepared, kill, sandbox)
      figures['at' in kill ? 'steps' : 'instants'] += 1
      if (isLate) figures.late += 1
      return `${figures.steps + figures.instants} kills`
    },
    progress,
  })
  return figures
}

const ORDERS: readonly [RecoveryOrder, RecoveryOrder] = [
  ['old', 'new'],
  ['new', 'old'],
]

function createKills(
  { operations, scenario, ms }: Prepared,
  { share, steps, random }: { share: number; steps: number; random: Random },
): readonly Kill[] {
  const wanted = scenario.isLarge ? 0 : Math.min(steps, share, operations.length)
  const atSteps = Array.from({ length: wanted }, (_, index): Kill => {
    const at = 1 + Math.floor(((index + random.below(1000) / 1000) * operations.length) / wanted)
    const isWrite = operations[at - 1]?.startsWith('writeFileSync') === true
    return { at, action: isWrite ? 'kill half-way' : 'kill', order: chooseOrder(random) }
  })
  const rest = Array.from({ length: share - wanted }, (): Kill => {
    return { after: random.below(Math.ceil(ms)), order: chooseOrder(random) }
  })
  return [...atSteps, ...rest]
}

function chooseOrder(random: Random): RecoveryOrder {
  return random.pick(ORDERS)
}

/** Kills a run, and checks that the next runs repair the site. Returns whether the run had ended before the kill. */
function killOnce(prepared: Prepared, kill: Kill, sandbox: Sandbox): Promise<boolean> {
  return explainDifference(formatKill(prepared, kill), async () => {
    const { exit, words } = await strike(prepared, kill, sandbox)
    if (exit !== null && (exit !== 0 || 'at' in kill))
      fail([`the run was not killed; it ended with exit code ${exit}: ${words}`])
    await checkRecovery(prepared, sandbox, kill.order)
    return exit !== null
  })
}

function strike({ scenario }: Prepared, kill: Kill, sandbox: Sandbox): ReturnType<typeof runInSandbox> {
  if ('at' in kill)
    return runInSandbox(sandbox, scenario.next, { fault: { at: kill.at, action: kill.action } })
  return runInSandbox(sandbox, scenario.next, { killAfter: kill.after })
}

function formatKill({ scenario, operations }: Prepared, kill: Kill): string {
  const place =
    'at' in kill
      ? `at step ${kill.at} of ${operations.length} (${kill.action}): ${operations[kill.at - 1]}`
      : `after ${Math.round(kill.after)} ms`
  return `scenario: ${scenario.name}\nkilled ${place}\nthen runs with ${kill.order.join(' and ')} data`
}
