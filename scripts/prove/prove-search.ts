/**
 * Proves that the search index equals one that is built anew, in both lanes and after any events around its feeds, and
 * that it answers any query.
 */
import { Option } from 'commander'
import { formatTime } from '../../src/builder/format-numbers.ts'
import { formatRate } from '../measure/format-figures.ts'
import { addShrinkOption, createProof, parseCount, requireNone } from './proof-command.ts'
import type { StoryLane } from './search/happenings.ts'
import { findStaleIndex } from './search/find-stale-index.ts'
import { askHostileQueries } from './search/hostile-queries.ts'
import { openTemporary } from './temporary.ts'

interface ProveSearchOptions {
  readonly stories: number
  readonly edits: number
  readonly seed: number
  readonly queries: number
  /** In seconds. */
  readonly shrink: number
  readonly lane?: StoryLane
}

/** Max time of an answer to a hostile query, in ms, on a machine that others use. */
const LIMIT = 1_000

const STORY_LANES: readonly StoryLane[] = ['assets', 'objects']

export const command = createProof<ProveSearchOptions>({
  configure: (parser) =>
    addShrinkOption(parser)
      .option('--stories <n>', 'number of random stories of each lane', parseCount, 20)
      .option('--edits <n>', 'edits of a story', parseCount, 500)
      .option('--queries <n>', 'hostile queries', parseCount, 10_000)
      .addOption(new Option('--lane <lane>', 'only this way of hosting').choices(STORY_LANES)),
  seeded: 'stories',
  prove: async ({ lane: only, shrink, stories, ...options }, progress) => {
    const { folder, remove } = openTemporary()
    const lanes = STORY_LANES.filter((lane) => (only ?? lane) === lane)
    const start = performance.now()
    const figures: string[] = []
    try {
      for (const lane of lanes) {
        let words = ''
        const story = await findStaleIndex({
          ...options,
          lane,
          count: stories,
          shrinking: shrink * 1_000,
          folder,
          progress: (done, compared) => {
            words = `${lane}: ${done} stories of ${options.edits} edits, ${compared} comparisons`
            progress(words)
          },
        })
        requireNone(story === null ? null : `HOSTING=${lane}\n${story}`)
        figures.push(words)
      }
      const slowest = await askHostileQueries({ ...options, limit: LIMIT })
      figures.push(`${options.queries} hostile queries, the slowest in ${formatTime(slowest)}`)
      return `${figures.join('; ')}, ${formatRate(stories * lanes.length, performance.now() - start)}`
    } finally {
      remove()
    }
  },
})
