/** Proves that a rebuild killed at any instant leaves whole files, and that the next ones repair everything. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { proveCrash } from './faults/crash.ts'
import { openSandboxes } from './faults/sandboxes.ts'
import {
  addPhotosOption,
  chooseSeed,
  concludeProof,
  createScenarioOption,
  parseCount,
  parsePhotos,
} from './proof-command.ts'
import { chooseScenarios } from './faults/scenarios.ts'

export interface ProveCrashOptions {
  /** The name of a scenario; `undefined` for all. */
  readonly only: string | undefined
  /** Make pictures in every scenario. */
  readonly withPhotos: boolean
  readonly kills: number
  readonly steps: number
  readonly seed: number
}

export const command: CommandDefinition<ProveCrashOptions> = {
  configure: (parser) =>
    addPhotosOption(
      parser
        .option('--kills <n>', 'kills in total', parseCount, 300)
        .option('--steps <n>', 'max kills at named steps in each scenario', parseCount, 28)
        .option('--seed <n>', 'the same seed gives the same instants', parseCount, chooseSeed())
        .addOption(createScenarioOption()),
    ),
  parse: ({ flags }) => ({
    ...(flags as Pick<ProveCrashOptions, 'kills' | 'steps' | 'seed'>),
    only: flags['only'] as string | undefined,
    withPhotos: parsePhotos({ flags }),
  }),
  run: ({ only, withPhotos, kills, steps, seed }, terminal) =>
    concludeProof(terminal, ` (seed ${seed})`, async () => {
      const { update } = terminal.progress
      const sandboxes = await openSandboxes({ width: 2, progress: update })
      try {
        const scenarios = chooseScenarios(only, withPhotos)
        const figures = await proveCrash(sandboxes, { scenarios, kills, steps, seed, progress: update })
        return `${figures.steps} kills at steps, ${figures.instants} at random instants, ${figures.late} of them after the end`
      } finally {
        sandboxes.close()
      }
    }),
}
