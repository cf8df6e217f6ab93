/** A search index in memory that holds the sample. */
import { createSellerData } from '../../../src/domain/objects/object-data.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { createSearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { putEntries } from '../../../scripts/prove/search/memory-index.ts'
import { CATALOGUES } from '../../../scripts/audit/sample-catalogues.ts'
import { createMemoryIndex } from './search-index.ts'

export async function createSampleIndex(): Promise<JoinedIndex> {
  const index = createMemoryIndex(1)
  const parts = { pictures: NO_PICTURES, previews: {}, hasProfile: true, updated: '' }
  await putEntries(
    index,
    CATALOGUES.map((one) => [one.seller, createSearchEntry(createSellerData(one, parts))]),
  )
  return index
}
