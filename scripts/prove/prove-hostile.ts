/**
 * Proves that a hostile seller harms no other one, that text of documents appears in its intended places only, and that each
 * lost document is reported.
 */
import { addShrinkOption, createProof, parseCount, proveStories } from './proof-command.ts'
import type { DocumentFigures } from './seller/check-documents.ts'
import { checkDocuments } from './seller/check-documents.ts'
import { findHarm } from './seller/play-story.ts'
import { openStage } from './site/stage.ts'

interface ProveHostileOptions {
  readonly runs: number
  readonly documents: number
  readonly seed: number
  readonly shrink: number
}

/** One story in this many has more products than any bound allows. */
const LARGE = 30

export const command = createProof<ProveHostileOptions>({
  configure: (parser) =>
    addShrinkOption(parser)
      .option('--runs <n>', 'number of random stories of one hostile seller', parseCount, 200)
      .option('--documents <n>', 'number of random documents to build as whole pages', parseCount, 5_000),
  seeded: 'stories and documents',
  prove: async ({ runs, documents, seed, shrink }, progress) => {
    const stage = await openStage({ count: 1, progress })
    try {
      const tell = (now: DocumentFigures): void => progress(formatDocuments(now))
      const figures = formatDocuments(await checkDocuments(stage, { documents, seed, progress: tell }))
      const stories = await proveStories('stories', { count: runs, seed, shrink }, progress, (options) =>
        findHarm(stage, { ...options, large: LARGE }),
      )
      return `${figures}; ${stories}`
    } finally {
      stage.close()
    }
  },
})

function formatDocuments({ documents, pages, named, texts }: DocumentFigures): string {
  return `${documents} documents, ${named} of them named as wrong, as ${pages} pages with ${texts} of their texts, each in its place`
}
