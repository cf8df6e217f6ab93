/**
 * Proves that a rebuild that is killed, or whose disk or database fails, leaves no torn file, and that the next runs
 * repair everything.
 */
import type { Command } from 'commander'
import { createCountParser } from '../measure/parse-count.ts'
import { proveCrash } from './faults/crash.ts'
import { proveFaults } from './faults/faults.ts'
import type { Sandboxes } from './faults/sandboxes.ts'
import { openSandboxes } from './faults/sandboxes.ts'
import type { ScenarioOptions } from './faults/scenarios.ts'
import { addScenarioOptions, chooseScenarios, FAULT_SCENARIOS, SCENARIOS } from './faults/scenarios.ts'
import { createProof, parseCount } from './proof-command.ts'

type Progress = (text: string) => void

async function withSandboxes(progress: Progress, work: (all: Sandboxes) => Promise<string>): Promise<string> {
  const sandboxes = await openSandboxes({ width: 2, progress })
  return work(sandboxes).finally(() => sandboxes.close())
}

interface ProveCrashOptions extends ScenarioOptions {
  readonly kills: number
  readonly steps: number
  readonly seed: number
}

export const crash = createProof<ProveCrashOptions>({
  configure: (parser) =>
    addScenarioOptions(parser, SCENARIOS)
      .option('--kills <n>', 'kills in total', parseCount, 300)
      .option(
        '--steps <n>',
        'max kills at steps (file changes and commits) in each scenario; the other kills are at random instants',
        parseCount,
        28,
      ),
  seeded: 'instants',
  prove: (options, progress) =>
    withSandboxes(progress, async (sandboxes) => {
      const scenarios = chooseScenarios(options, SCENARIOS)
      const { steps, instants, late } = await proveCrash(sandboxes, { ...options, scenarios, progress })
      return `${steps} kills at steps, ${instants} at random instants, ${late} of them after the run had ended`
    }),
})

const addEvery = (parser: Command): Command =>
  parser.option(
    '--every <n>',
    'inject a fault into one of every n operations',
    createCountParser(1, 1_000_000),
    1,
  )

export const faults = createProof<ScenarioOptions & { readonly every: number }>({
  configure: (parser) => addEvery(addScenarioOptions(parser, FAULT_SCENARIOS)),
  seeded: null,
  prove: (options, progress) =>
    withSandboxes(progress, async (sandboxes) => {
      const scenarios = chooseScenarios(options, FAULT_SCENARIOS)
      const figures = await proveFaults(sandboxes, { ...options, scenarios, progress })
      return `${figures.faults} faults; runs succeeded despite ${figures.survived} of them`
    }),
})
