/** A search index in memory that holds the sample. */
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { createSearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { putEntries } from '../../../scripts/prove/search/memory-index.ts'
import { CATALOGUES } from '../../../scripts/audit/sample-catalogues.ts'
import { createMemoryIndex } from './search-index.ts'

export async function createSampleIndex(): Promise<JoinedIndex> {
  const index = createMemoryIndex(1)
  await putEntries(
    index,
    CATALOGUES.map((catalogue) => [
      catalogue.seller,
      createSearchEntry({ catalogue, pictures: NO_PICTURES }),
    ]),
  )
  return index
}
