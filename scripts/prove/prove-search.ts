/** Proves that the search index equals a newly built one after random events around its feeds, and answers any query. */
import { formatTime } from '../../src/builder/format-numbers.ts'
import { openScratchFolder, removeScratchFolder } from '../measure/scratch-folder.ts'
import { createStoryProof, parseCount } from './proof-command.ts'
import { askHostileQueries } from './search/hostile-queries.ts'
import { findStaleIndex } from './search/play-story.ts'

interface ProveSearchOptions {
  readonly edits: number
  readonly queries: number
}

/**
 * Max milliseconds until a hostile query is answered by the index and by the Worker, with a margin for a busy machine.
 */
const LIMIT = 1_000

export const command = createStoryProof<ProveSearchOptions>({
  stories: 20,
  configure: (parser) =>
    parser
      .option('--edits <n>', 'average number of edits in a story', parseCount, 500)
      .option('--queries <n>', 'number of hostile queries', parseCount, 10_000),
  prove: async ({ edits, queries, seed }, play) => {
    const folder = openScratchFolder('prove')
    try {
      const setup = { edits, folder, figures: { compared: 0 } }
      const played = await play((options) => findStaleIndex(setup, options))
      const slowest = await askHostileQueries({ queries, seed, limit: LIMIT })
      return `${played}, ${setup.figures.compared} comparisons; ${queries} hostile queries, the slowest in ${formatTime(slowest)}`
    } finally {
      removeScratchFolder(folder)
    }
  },
})
