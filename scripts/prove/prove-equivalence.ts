/** Proves that a rebuild makes what a clean build makes, whatever happens to data, code and state. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { formatRate } from '../measure/format-figures.ts'
import { Difference } from './difference.ts'
import { findDifference } from './equivalence/equivalence.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { chooseSeed, concludeProof, parseCount } from './proof-command.ts'
import { openStage } from './site/stage.ts'

export interface ProveEquivalenceOptions {
  readonly sequences: number
  readonly seed: number
  /** In seconds. */
  readonly shrink: number
}

export const command: CommandDefinition<ProveEquivalenceOptions> = {
  configure: (parser) =>
    parser
      .option('--sequences <n>', 'number of random stories', parseCount, 300)
      .option('--seed <n>', 'the same seed gives the same stories', parseCount, chooseSeed())
      .option('--shrink <seconds>', 'time to look for a shorter story of a difference', parseCount, 90)
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags }) => ({
    ...(flags as Pick<ProveEquivalenceOptions, 'sequences' | 'seed' | 'shrink'>),
  }),
  run: ({ sequences, seed, shrink }, terminal) =>
    concludeProof(terminal, ` (seed ${seed})`, async () => {
      const { update } = terminal.progress
      const stage = await openStage({ progress: update })
      const start = performance.now()
      const formatSpeed = (done: number): string =>
        `${done} of ${sequences} sequences, ${formatRate(done, performance.now() - start)}`
      try {
        const story = await findDifference(stage, {
          sequences,
          seed,
          shrinking: shrink * 1000,
          progress: (done) => update(formatSpeed(done)),
        })
        if (story !== null) throw new Difference(story)
        return formatSpeed(sequences)
      } finally {
        stage.close()
      }
    }),
}
