/** Lets the n-th operation of a run fail, for every n, and tells what is not said clearly or not put right by the next runs. */
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { explain, fail } from './check-run.ts'
import { checkOutput } from './check-output.ts'
import type { RebuildRun } from './rebuild-process.ts'
import type { Lane, Lanes } from './lanes.ts'
import { runMake } from './lanes.ts'
import type { Prepared } from './prepare-scenario.ts'
import { layOut, prepareScenario } from './prepare-scenario.ts'
import { checkRecovery } from './recover.ts'
import type { Scenario } from './scenarios.ts'
import { runSideBySide } from './side-by-side.ts'
import type { Counts } from './strike-plan.ts'

export interface FaultOptions {
  readonly scenarios: readonly Scenario[]
  /** Each operation is struck, or one of so many. */
  readonly every: number
  readonly progress: (text: string) => void
}

export interface FaultFigures {
  readonly faults: number
  /** How many of them the run survived. */
  readonly survived: number
}

export interface Fault {
  readonly at: number
  readonly isLasting: boolean
}

/** Exit codes of a run that did not survive a fault. */
const EXITS: readonly number[] = [EXIT.pageFailed, EXIT.source, EXIT.busy, EXIT.unfinished]

/** Throws a `Difference` that tells the story of the first fault that is not met well. */
export async function proveFaults(
  lanes: Lanes,
  { scenarios, every, progress }: FaultOptions,
): Promise<FaultFigures> {
  const figures = { faults: 0, survived: 0 }
  for (const [index, scenario] of scenarios.entries()) {
    const [first] = lanes.all
    if (first === undefined) throw new Error('there is no lane to fail in')
    progress(`preparing: ${scenario.name}`)
    const setup = { folder: `${lanes.folder}/prepared`, counts: chooseCounts(scenario) }
    const prepared = await explain(`scenario: ${scenario.name}`, () =>
      prepareScenario(scenario, first, setup),
    )
    await runSideBySide(lanes.all, createFaults(prepared, every), async (fault, lane) => {
      if (await failOnce(prepared, fault, lane)) figures.survived += 1
      figures.faults += 1
      progress(`${figures.faults} faults (scenario ${index + 1} of ${scenarios.length}: ${scenario.name})`)
    })
  }
  return figures
}

/** Whether the run came to a good end all the same. */
async function failOnce(prepared: Prepared, fault: Fault, lane: Lane): Promise<boolean> {
  await layOut(prepared, lane)
  const { scenario } = prepared
  return explain(tellFault(prepared, fault), async () => {
    const strike = { ...fault, action: 'fail', counts: chooseCounts(scenario) } as const
    const run = await runMake(lane, scenario.next, strike)
    const isWell = run.exit === 0
    if (isWell) checkOutput(lane.place, prepared.after)
    else checkWords(run)
    await checkRecovery(prepared, lane, fault.at % 2 === 0 ? ['new'] : ['old'])
    return isWell
  })
}

function chooseCounts({ doReadsFail }: Scenario): Counts {
  return doReadsFail ? 'calls' : 'changes'
}

// A disk that is full stays full: what comes after fails too.
function* createFaults({ operations }: Prepared, every: number): Generator<Fault> {
  for (let at = 1; at <= operations.length; at += every) {
    yield { at, isLasting: false }
    if (operations[at - 1]?.startsWith('writeFileSync') === true) yield { at, isLasting: true }
  }
}

function checkWords({ exit, words }: RebuildRun): void {
  if (exit === null || !EXITS.includes(exit)) fail([`exit code ${exit}: ${words.trim()}`])
  if (/^\s+at /m.test(words)) fail([`a stack trace is shown: ${words.trim()}`])
  // A failed page is in the report; anything else has a message.
  if (exit !== EXIT.pageFailed && !/^rebuild: \S.{10,}/m.test(words))
    fail([`nothing is said: ${words.trim()}`])
}

function tellFault({ scenario, operations }: Prepared, { at, isLasting }: Fault): string {
  const operation = `operation ${at} of ${operations.length}: ${operations[at - 1]}`
  return `scenario: ${scenario.name}\n${isLasting ? 'everything fails from' : 'only this fails:'} ${operation}`
}
