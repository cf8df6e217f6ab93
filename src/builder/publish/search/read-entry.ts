/** Reads a seller's entry of the search index from the snapshot and the picture store. */
import { findIdProblem } from '../../../domain/documents/page-id.ts'
import { createSearchEntry } from '../../../domain/search/search-entry.ts'
import type { PageDataSource } from '../../rebuild/plan/page-sources.ts'
import { readCatalogue } from '../../rebuild/plan/seller-pages.ts'
import type { ReadEntry } from './put-sellers.ts'

/** The returned function returns `null` for a seller without an entry, such as one whose id cannot have a page. */
export function createReadEntry(data: PageDataSource): ReadEntry {
  return (seller) => {
    const catalogue = findIdProblem(seller) === null ? readCatalogue(data, seller) : null
    return catalogue && createSearchEntry({ catalogue, pictures: data.pictures.find(catalogue) })
  }
}
