/**
 * Proves that a hostile seller harms no other one, and that no text of a document gets where none is meant to be, or is lost
 * without a word.
 */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatRate } from '../measure/format-figures.ts'
import { Difference } from './difference.ts'
import { chooseSeed, concludeProof, parseCount } from './proof-command.ts'
import type { DocumentFigures } from './seller/check-documents.ts'
import { checkDocuments } from './seller/check-documents.ts'
import { findHarm } from './seller/find-harm.ts'
import { openStage } from './site/stage.ts'

export interface ProveHostileOptions {
  readonly runs: number
  readonly documents: number
  readonly seed: number
  /** In seconds. */
  readonly shrink: number
}

/** One story in so many has more products than any bound lets through. */
const LARGE = 30

export const command: CommandDefinition<ProveHostileOptions> = {
  configure: (parser) =>
    parser
      .option('--runs <n>', 'number of random stories of one hostile seller', parseCount, 200)
      .option('--documents <n>', 'number of random documents to build as whole pages', parseCount, 5_000)
      .option('--seed <n>', 'the same seed gives the same stories and documents', parseCount, chooseSeed())
      .option('--shrink <seconds>', 'time to look for a shorter story of a difference', parseCount, 90)
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags }) => ({ ...(flags as unknown as ProveHostileOptions) }),
  run: ({ runs, documents, seed, shrink }, terminal) =>
    concludeProof(terminal, ` (seed ${seed})`, async () => {
      const { update } = terminal.progress
      const stage = await openStage({ count: 1, progress: update })
      try {
        const progress = (now: DocumentFigures): void => update(formatDocuments(now))
        const figures = formatDocuments(await checkDocuments(stage, { documents, seed, progress }))
        const start = performance.now()
        const formatStories = (done: number): string =>
          `${done} of ${runs} stories, ${formatRate(done, performance.now() - start)}`
        const story = await findHarm(stage, {
          runs,
          seed,
          large: LARGE,
          shrinking: shrink * 1_000,
          progress: (done) => update(formatStories(done)),
        })
        if (story !== null) throw new Difference(story)
        return `${figures}; ${formatStories(runs)}`
      } finally {
        stage.close()
      }
    }),
}

function formatDocuments({ documents, pages, named, texts }: DocumentFigures): string {
  return `${documents} documents, ${named} of them named as wrong, as ${pages} pages with ${texts} of their texts, each in its place`
}
