/**
 * Proves that a rebuild on a failing disk or database says so, tears nothing, and that the next ones repair
 * everything.
 */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { createCountParser } from '../measure/parse-count.ts'
import { proveFaults } from './faults/faults.ts'
import { openSandboxes } from './faults/sandboxes.ts'
import { addPhotosOption, concludeProof, createScenarioOption, parsePhotos } from './proof-command.ts'
import { chooseScenarios } from './faults/scenarios.ts'

export interface ProveFaultsOptions {
  /** The name of a scenario; `undefined` for all. */
  readonly only: string | undefined
  /** Make pictures in every scenario. */
  readonly withPhotos: boolean
  /** One operation of this many fails. */
  readonly every: number
}

export const command: CommandDefinition<ProveFaultsOptions> = {
  configure: (parser) =>
    addPhotosOption(
      parser
        .option('--every <n>', 'fail one operation of this many', createCountParser(1, 1_000_000), 1)
        .addOption(createScenarioOption()),
    ),
  parse: ({ flags }) => ({
    only: flags['only'] as string | undefined,
    withPhotos: parsePhotos({ flags }),
    every: flags['every'] as number,
  }),
  run: ({ only, withPhotos, every }, terminal) =>
    concludeProof(terminal, '', async () => {
      const { update } = terminal.progress
      const sandboxes = await openSandboxes({ width: 2, progress: update })
      try {
        const scenarios = chooseScenarios(only, withPhotos).filter(({ isLarge }) => !isLarge)
        const { faults, survived } = await proveFaults(sandboxes, { scenarios, every, progress: update })
        return `${faults} faults, ${survived} of them survived`
      } finally {
        sandboxes.close()
      }
    }),
}
