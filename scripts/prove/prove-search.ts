/**
 * Proves that the search index equals a newly built one, in both lanes and after random events around its feeds, and
 * that it answers any query.
 */
import { Option } from 'commander'
import { formatTime } from '../../src/builder/format-numbers.ts'
import { createStoryProof, parseCount } from './proof-command.ts'
import type { StoryLane } from './search/happenings.ts'
import { askHostileQueries } from './search/hostile-queries.ts'
import { findStaleIndex } from './search/play-story.ts'
import { openTemporary } from './temporary.ts'

interface ProveSearchOptions {
  readonly edits: number
  readonly queries: number
  readonly lane?: StoryLane
}

/**
 * Max milliseconds until a hostile query is answered by the index and by the Worker, with a margin for a busy machine.
 */
const LIMIT = 1_000

const STORY_LANES: readonly StoryLane[] = ['assets', 'objects']

export const command = createStoryProof<ProveSearchOptions>({
  stories: ['stories', 20],
  configure: (parser) =>
    parser
      .option('--edits <n>', 'average number of edits in a story', parseCount, 500)
      .option('--queries <n>', 'number of hostile queries', parseCount, 10_000)
      .addOption(new Option('--lane <lane>', 'play only stories of this lane').choices(STORY_LANES)),
  prove: async ({ lane: only, edits, queries, seed }, { play }) => {
    const { folder, remove } = openTemporary()
    const figures: string[] = []
    try {
      for (const lane of STORY_LANES.filter((one) => (only ?? one) === one)) {
        const setup = { lane, edits, folder, figures: { compared: 0 } }
        const what = `stories of ${edits} edits in lane ${lane}`
        const played = await play(what, (options) => findStaleIndex(setup, options))
        figures.push(`${played}, ${setup.figures.compared} comparisons`)
      }
      const slowest = await askHostileQueries({ queries, seed, limit: LIMIT })
      return [...figures, `${queries} hostile queries, the slowest in ${formatTime(slowest)}`].join('; ')
    } finally {
      remove()
    }
  },
})
