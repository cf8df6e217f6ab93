/** Reads what the search index should have of a seller, from the snapshot and the picture store. */
import { findIdProblem } from '../../../domain/documents/page-id.ts'
import { createSearchEntry } from '../../../domain/search/search-entry.ts'
import { readObjectData } from '../../rebuild/plan/object-data.ts'
import type { PageDataSource } from '../../rebuild/plan/page-sources.ts'
import type { ReadEntry } from './put-sellers.ts'

/** The created function returns `null` for a seller whose id cannot have a page. */
export function createReadEntry(data: PageDataSource): ReadEntry {
  return (seller) => {
    if (findIdProblem(seller) !== null) return null
    const object = readObjectData(data, seller)
    return object?.kind === 'seller' ? createSearchEntry(object) : null
  }
}
