/** Proves that the next rebuild repairs any state of the disk after a power cut. */
import { Option } from 'commander'
import { UsageError } from '../../src/builder/state/usage-error.ts'
import { openSandboxes } from './faults/sandboxes.ts'
import { findMountProblem } from './power/disk.ts'
import { POWER_SCENARIOS } from './power/power-scenarios.ts'
import { provePower } from './power/power.ts'
import { createProof, parseCount } from './proof-command.ts'

interface ProvePowerOptions {
  /** Name of the only scenario to run. */
  readonly only?: string
  readonly cuts: number
  readonly seed: number
  /** Max seconds from the end of a run to a power cut after the run. */
  readonly window: number
}

const NAMES = POWER_SCENARIOS.map(({ name }) => name)

export const command = createProof<ProvePowerOptions>({
  configure: (parser) =>
    parser
      .option('--cuts <n>', 'power cuts in total', parseCount, 40)
      .option('--window <seconds>', 'max time from the end of a run to a power cut', parseCount, 10)
      .addOption(new Option('--only <scenario>', 'run this scenario only').choices(NAMES)),
  seeded: 'instants',
  prove: async ({ only, window, ...options }, progress) => {
    requireMounts()
    const { all, close } = await openSandboxes({ width: 1, progress })
    try {
      const scenarios = POWER_SCENARIOS.filter(({ name }) => only === undefined || name === only)
      const rest = { scenarios, window: window * 1_000, progress }
      const { during, after } = await provePower(all[0], { ...options, ...rest })
      return `${during} power cuts during runs, ${after} after them`
    } finally {
      close()
    }
  },
})

function requireMounts(): void {
  const problem = findMountProblem()
  if (problem === null) return
  throw new UsageError(
    `No disk image can be mounted here: ${problem}. Run this proof as root, on Linux with loop devices and the package e2fsprogs (it has mkfs.ext4).`,
  )
}
