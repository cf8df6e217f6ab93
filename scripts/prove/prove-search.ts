/**
 * Proves that the search index is the one that is built anew, in both lanes, whatever happens around its feeds, and that it
 * answers whatever is asked.
 */
import { Option } from 'commander'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatTime } from '../../src/builder/format-numbers.ts'
import { formatRate } from '../measure/format-figures.ts'
import { Difference } from './difference.ts'
import { chooseSeed, concludeProof, parseCount } from './proof-command.ts'
import type { StoryLane } from './search/create-stories.ts'
import { findStaleIndex } from './search/find-stale-index.ts'
import { askHostileQueries } from './search/hostile-queries.ts'
import { openTemporary } from './temporary.ts'

export interface ProveSearchOptions {
  readonly stories: number
  readonly edits: number
  readonly seed: number
  readonly queries: number
  /** In seconds. */
  readonly shrink: number
  readonly lanes: readonly StoryLane[]
}

/** Max time of an answer to a hostile query, in ms, on a machine that others use. */
const LIMIT = 1_000

const LANES: readonly StoryLane[] = ['assets', 'objects']

export const command: CommandDefinition<ProveSearchOptions> = {
  configure: (parser) =>
    parser
      .option('--stories <n>', 'number of random stories of each lane', parseCount, 20)
      .option('--edits <n>', 'edits of a story', parseCount, 500)
      .option('--queries <n>', 'hostile queries', parseCount, 10_000)
      .option('--seed <n>', 'the same seed gives the same stories', parseCount, chooseSeed())
      .option('--shrink <seconds>', 'time to look for a shorter story of a difference', parseCount, 90)
      .addOption(new Option('--lane <lane>', 'only this way of hosting').choices(LANES))
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags }) => ({
    ...(flags as Pick<ProveSearchOptions, 'stories' | 'edits' | 'queries' | 'seed' | 'shrink'>),
    lanes: LANES.filter((lane) => (flags['lane'] ?? lane) === lane),
  }),
  run: ({ lanes, shrink, ...options }, terminal) =>
    concludeProof(terminal, ` (seed ${options.seed})`, async () => {
      const { folder, remove } = openTemporary()
      const start = performance.now()
      const figures: string[] = []
      try {
        for (const lane of lanes) {
          let words = ''
          const progress = (done: number, compared: number): void => {
            words = `${lane}: ${done} stories of ${options.edits} edits, ${compared} comparisons`
            terminal.progress.update(words)
          }
          const story = await findStaleIndex({
            ...options,
            lane,
            shrinking: shrink * 1_000,
            folder,
            progress,
          })
          if (story !== null) throw new Difference(`HOSTING=${lane}\n${story}`)
          figures.push(words)
        }
        const slowest = await askHostileQueries({ ...options, limit: LIMIT })
        figures.push(`${options.queries} hostile queries, the slowest in ${formatTime(slowest)}`)
        return `${figures.join('; ')}, ${formatRate(options.stories * lanes.length, performance.now() - start)}`
      } finally {
        remove()
      }
    }),
}
