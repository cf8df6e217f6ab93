/**
 * Proves that a hostile seller harms no other seller, that text of documents appears in its intended places only, and
 * that each lost document is reported.
 */
import { createStoryProof, parseCount } from './proof-command.ts'
import type { DocumentFigures } from './seller/check-documents.ts'
import { checkDocuments } from './seller/check-documents.ts'
import { findHarm } from './seller/play-story.ts'
import { openStage } from './site/stage.ts'

/** On average, one of `LARGE` stories has a hostile seller with more products than the default limit permits. */
const LARGE = 30

export const command = createStoryProof<{ readonly documents: number }>({
  stories: ['runs', 200],
  seeded: 'stories and documents',
  configure: (parser) =>
    parser.option('--documents <n>', 'number of random documents to build pages of', parseCount, 5_000),
  prove: async ({ documents, seed }, { play, progress }) => {
    const stage = await openStage({ count: 1, progress })
    try {
      const tell = (now: DocumentFigures): void => progress(formatDocuments(now))
      const figures = formatDocuments(await checkDocuments(stage, { documents, seed, progress: tell }))
      return `${figures}; ${await play('stories', (options) => findHarm(stage, { ...options, large: LARGE }))}`
    } finally {
      stage.close()
    }
  },
})

function formatDocuments({ documents, pages, named, texts }: DocumentFigures): string {
  return `${documents} documents (${named} reported as faulty) became ${pages} pages; each of the ${texts} texts is in a permitted place`
}
