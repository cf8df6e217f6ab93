/** Proves that the coordinator loses nothing that it was told, and lets nothing older go live, whatever happens. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatRate } from '../measure/format-figures.ts'
import { Difference } from './difference.ts'
import { findBrokenPromise } from './coordinator/find-broken-promise.ts'
import { chooseSeed, concludeProof, parseCount } from './proof-command.ts'

export interface ProveCoordinatorOptions {
  readonly stories: number
  readonly seed: number
}

export const command: CommandDefinition<ProveCoordinatorOptions> = {
  configure: (parser) =>
    parser
      .option('--stories <n>', 'number of random stories of each of two kinds', parseCount, 20_000)
      .option('--seed <n>', 'the same seed gives the same stories', parseCount, chooseSeed())
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags }) => ({ ...(flags as Pick<ProveCoordinatorOptions, 'stories' | 'seed'>) }),
  run: ({ stories, seed }, terminal) =>
    concludeProof(terminal, ` (seed ${seed})`, async () => {
      const start = performance.now()
      const formatSpeed = (done: number): string =>
        `${done} of ${2 * stories} stories, ${formatRate(done, performance.now() - start)}`
      const { update } = terminal.progress
      const story = findBrokenPromise({ stories, seed, progress: (done) => update(formatSpeed(done)) })
      if (story !== null) throw new Difference(story)
      return formatSpeed(2 * stories)
    }),
}
