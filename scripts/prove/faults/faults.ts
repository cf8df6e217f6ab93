/**
 * Makes the n-th operation of a run fail, for every n or for every `every`-th n. Checks that the run succeeds or
 * reports the failure, and that the next runs repair the site.
 */
import { EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { explainDifference, fail } from '../difference.ts'
import { checkOutput } from './check-output.ts'
import type { SandboxRun, Sandbox, Sandboxes } from './sandboxes.ts'
import { runInSandbox } from './sandboxes.ts'
import type { Prepared } from './prepare-scenario.ts'
import { strikeScenarios } from './prepare-scenario.ts'
import { checkRecovery } from './recover.ts'
import type { Scenario } from './scenarios.ts'
import type { CountedOperations } from './injected-fault.ts'

interface FaultOptions {
  readonly scenarios: readonly Scenario[]
  /** Faults are injected only into every `every`-th operation. */
  readonly every: number
  readonly progress: (text: string) => void
}

interface FaultFigures {
  readonly faults: number
  /** Faults despite which the run ended with exit code 0. */
  readonly survived: number
}

interface Fault {
  readonly at: number
  readonly isLasting: boolean
}

/** Permitted exit codes of a run that fails because of a fault. `attention`: the compile failed. */
const EXITS: readonly number[] = [EXIT.attention, EXIT.source, EXIT.busy, EXIT.pageFailed, EXIT.unfinished]

/** Throws a `Difference` that describes the first fault that is not handled. */
export async function proveFaults(
  sandboxes: Sandboxes,
  { scenarios, every, progress }: FaultOptions,
): Promise<FaultFigures> {
  const figures = { faults: 0, survived: 0 }
  await strikeScenarios(sandboxes, {
    scenarios,
    chooseCounts,
    list: (prepared) => createFaults(prepared, every),
    strike: async (prepared, fault, sandbox) => {
      if (await failOnce(prepared, fault, sandbox)) figures.survived += 1
      figures.faults += 1
      return `${figures.faults} faults`
    },
    progress,
  })
  return figures
}

/**
 * Injects a fault into a run, and checks this run and the next ones. Returns whether this run ended with exit code 0.
 */
function failOnce(prepared: Prepared, fault: Fault, sandbox: Sandbox): Promise<boolean> {
  const { scenario } = prepared
  return explainDifference(formatFault(prepared, fault), async () => {
    const strike = { ...fault, action: 'fail', counts: chooseCounts(scenario) } as const
    const run = await runInSandbox(sandbox, scenario.next, { fault: strike })
    const isWell = run.exit === 0
    if (isWell) checkOutput(sandbox.place, prepared.after)
    else checkWords(run)
    await checkRecovery(prepared, sandbox, fault.at % 2 === 0 ? ['new'] : ['old'])
    return isWell
  })
}

function chooseCounts({ doReadsFail }: Scenario): CountedOperations {
  return doReadsFail ? 'calls' : 'changes'
}

// For each write, yields a second fault, after which every later operation fails too, because a full disk stays full.
function* createFaults({ operations }: Prepared, every: number): Generator<Fault> {
  for (let at = 1; at <= operations.length; at += every) {
    yield { at, isLasting: false }
    if (operations[at - 1]?.startsWith('writeFileSync') === true) yield { at, isLasting: true }
  }
}

function checkWords({ exit, words }: SandboxRun): void {
  if (exit === null || !EXITS.includes(exit)) fail([`exit code ${exit}: ${words.trim()}`])
  if (/^\s+at /m.test(words)) fail([`a stack trace is shown: ${words.trim()}`])
  // A failed page is listed in the report; every other failure must have a message.
  if (exit !== EXIT.pageFailed && !/^rebuild: \S.{10,}/m.test(words))
    fail([`the command failed without a clear message; it printed: ${words.trim()}`])
}

function formatFault({ scenario, operations }: Prepared, { at, isLasting }: Fault): string {
  const operation = `operation ${at} of ${operations.length}: ${operations[at - 1]}`
  return `scenario: ${scenario.name}\n${isLasting ? 'all operations fail, beginning with' : 'only this operation fails:'} ${operation}`
}
