/** Proves that stored pages are right at rest and never go back, whatever happens around them. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatRate } from '../measure/format-figures.ts'
import { Difference } from './difference.ts'
import { openEdgeInMemory } from './edge/edge-in-memory.ts'
import { openRuntime } from './edge/edge-on-runtime.ts'
import type { StoryProgress } from './edge/find-wrong-answer.ts'
import { findWrongAnswer } from './edge/find-wrong-answer.ts'
import { chooseSeed, concludeProof, parseCount } from './proof-command.ts'

export interface ProveEdgeOptions {
  readonly histories: number
  readonly seed: number
  readonly isInMemory: boolean
}

/** Happenings of a history. */
const LENGTH = 80

export const command: CommandDefinition<ProveEdgeOptions> = {
  configure: (parser) =>
    parser
      .option('--histories <n>', 'number of random histories', parseCount, 300)
      .option('--seed <n>', 'the same seed gives the same histories', parseCount, chooseSeed())
      .option('--memory', 'play them without the runtime, which is faster')
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags }) => ({
    ...(flags as Pick<ProveEdgeOptions, 'histories' | 'seed'>),
    isInMemory: flags['memory'] === true,
  }),
  run: ({ histories, seed, isInMemory }, terminal) =>
    concludeProof(terminal, ` (seed ${seed})`, async () => {
      const start = performance.now()
      const formatSpeed = (done: number): string =>
        `${done} of ${histories} histories, ${formatRate(done, performance.now() - start)}`
      const progress = ({ done, tried }: StoryProgress): void =>
        terminal.progress.update(
          tried === 0
            ? formatSpeed(done)
            : `a difference after ${done} histories; making it shorter: ${tried} tried`,
        )
      const options = { stories: histories, seed, length: LENGTH, progress }
      const runtime = isInMemory ? null : await openRuntime()
      try {
        const openEdge = runtime === null ? openEdgeInMemory : runtime.openEdge
        const history = await findWrongAnswer({ ...options, openEdge, areCrashesCheap: isInMemory })
        if (history !== null)
          throw new Difference(
            `${history}\nAgain: npm run prove:edge -- --histories ${histories} --seed ${seed}${isInMemory ? ' --memory' : ''}`,
          )
        return formatSpeed(histories)
      } finally {
        await runtime?.close()
      }
    }),
}
