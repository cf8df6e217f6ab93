/** Proves that a rebuild on a failing disk or database says so, tears nothing, and that the next ones repair everything. */
import { createCountParser } from '../measure/parse-count.ts'
import { proveFaults } from './faults/faults.ts'
import { openSandboxes } from './faults/sandboxes.ts'
import type { ScenarioOptions } from './faults/scenarios.ts'
import { addScenarioOptions, chooseScenarios } from './faults/scenarios.ts'
import { createProof } from './proof-command.ts'

export const command = createProof<ScenarioOptions & { readonly every: number }>({
  configure: (parser) =>
    addScenarioOptions(parser).option(
      '--every <n>',
      'fail one operation of this many',
      createCountParser(1, 1_000_000),
      1,
    ),
  seeded: null,
  prove: async (options, progress) => {
    const sandboxes = await openSandboxes({ width: 2, progress })
    try {
      const scenarios = chooseScenarios(options).filter(({ isLarge }) => !isLarge)
      const { faults, survived } = await proveFaults(sandboxes, { ...options, scenarios, progress })
      return `${faults} faults, ${survived} of them survived`
    } finally {
      sandboxes.close()
    }
  },
})
