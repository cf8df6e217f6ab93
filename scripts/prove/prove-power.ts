/** Proves that the next rebuild repairs whatever a power cut at any instant leaves on the disk. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { UsageError } from '../../src/builder/state/usage-error.ts'
import { Option } from 'commander'
import { findMountProblem } from './power/disk.ts'
import { POWER_SCENARIOS } from './power/power-scenarios.ts'
import { provePower } from './power/power.ts'
import { chooseSeed, concludeProof, parseCount } from './proof-command.ts'
import { openSandboxes } from './faults/sandboxes.ts'

export interface ProvePowerOptions {
  /** The name of a scenario; `undefined` for all. */
  readonly only: string | undefined
  readonly cuts: number
  readonly seed: number
  /** In seconds. */
  readonly window: number
}

export const command: CommandDefinition<ProvePowerOptions> = {
  configure: (parser) =>
    parser
      .option('--cuts <n>', 'power cuts in total', parseCount, 40)
      .option('--seed <n>', 'the same seed gives the same instants', parseCount, chooseSeed())
      .option('--window <seconds>', 'time after a run in which the power is cut', parseCount, 10)
      .addOption(
        new Option('--only <scenario>', 'run this scenario only').choices(
          POWER_SCENARIOS.map(({ name }) => name),
        ),
      )
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags }) => ({
    ...(flags as Pick<ProvePowerOptions, 'cuts' | 'seed' | 'window'>),
    only: flags['only'] as string | undefined,
  }),
  run: ({ only, cuts, seed, window }, terminal) => {
    checkMounts()
    return concludeProof(terminal, ` (seed ${seed})`, async () => {
      const { update } = terminal.progress
      const { all, close } = await openSandboxes({ width: 1, progress: update })
      try {
        const [sandbox] = all
        if (sandbox === undefined) throw new Error('the proof has no sandbox')
        const scenarios = POWER_SCENARIOS.filter(({ name }) => only === undefined || name === only)
        const options = { scenarios, cuts, seed, window: window * 1000, progress: update }
        const { during, after } = await provePower(sandbox, options)
        return `${during} power cuts during runs, ${after} after them`
      } finally {
        close()
      }
    })
  },
}

function checkMounts(): void {
  const problem = findMountProblem()
  if (problem === null) return
  throw new UsageError(
    `No disk image can be mounted here: ${problem}. Run it as root on Linux with loop devices, with mkfs.ext4 of the package e2fsprogs.`,
  )
}
