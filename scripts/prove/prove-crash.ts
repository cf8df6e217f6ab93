/** Proves that a rebuild killed at any instant leaves whole files, and that the next ones repair everything. */
import { proveCrash } from './faults/crash.ts'
import { openSandboxes } from './faults/sandboxes.ts'
import type { ScenarioOptions } from './faults/scenarios.ts'
import { addScenarioOptions, chooseScenarios } from './faults/scenarios.ts'
import { createProof, parseCount } from './proof-command.ts'

interface ProveCrashOptions extends ScenarioOptions {
  readonly kills: number
  readonly steps: number
  readonly seed: number
}

export const command = createProof<ProveCrashOptions>({
  configure: (parser) =>
    addScenarioOptions(parser)
      .option('--kills <n>', 'kills in total', parseCount, 300)
      .option('--steps <n>', 'max kills at named steps in each scenario', parseCount, 28),
  seeded: 'instants',
  prove: async (options, progress) => {
    const sandboxes = await openSandboxes({ width: 2, progress })
    try {
      const scenarios = chooseScenarios(options)
      const figures = await proveCrash(sandboxes, { ...options, scenarios, progress })
      return `${figures.steps} kills at steps, ${figures.instants} at random instants, ${figures.late} of them after the end`
    } finally {
      sandboxes.close()
    }
  },
})
