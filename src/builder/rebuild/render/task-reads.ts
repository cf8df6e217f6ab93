/** Reads a seller once for all pages of a task: reading 25 products one by one takes seven times as long. */
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import type { Product } from '../../../domain/documents/product.ts'
import type { SellerPageKey } from '../../../domain/documents/page-table.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'

/**
 * Max ratio of a seller's products to the seller's product pages in a task, for which the task reads the whole
 * catalogue. Above this ratio, the task reads the products of these pages one by one, because the pages of a large
 * seller take many tasks, and each task would read the whole catalogue.
 */
const MOST_FOR_EACH = 4

interface ReadSeller {
  readonly seller: string
  readonly catalogue: Catalogue | null
  readonly products: ReadonlyMap<string, Product>
}

/** Returns the snapshot with reads that remember the last seller. Valid within one transaction. */
export function createTaskReads(snapshot: Snapshot, pages: readonly SellerPageKey[]): Snapshot {
  const wanted = countProductPages(pages)
  let last: ReadSeller | null = null
  const readSeller = (seller: string): ReadSeller => {
    if (last?.seller === seller) return last
    const catalogue = snapshot.readCatalogue(seller)
    const products = new Map(catalogue?.products.map((product) => [product.id, product]))
    return (last = { seller, catalogue, products })
  }
  const isWorthwhile = (seller: string): boolean =>
    last?.seller === seller || snapshot.countProducts(seller) <= MOST_FOR_EACH * (wanted.get(seller) ?? 0)
  return {
    ...snapshot,
    readCatalogue: (seller) => readSeller(seller).catalogue,
    readProduct: (seller, id) => {
      const { catalogue, products } = isWorthwhile(seller) ? readSeller(seller) : NOTHING
      const product = products.get(id)
      // Reads the product alone if its seller was not read, or if it is not in the catalogue, which has at most
      // `MAX_PRODUCTS` products.
      if (catalogue === null || product === undefined) return snapshot.readProduct(seller, id)
      return { ...catalogue, products: [product] }
    },
  }
}

const NOTHING: Omit<ReadSeller, 'seller'> = { catalogue: null, products: new Map() }

function countProductPages(pages: readonly SellerPageKey[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { seller, product } of pages)
    if (product !== null) counts.set(seller, (counts.get(seller) ?? 0) + 1)
  return counts
}
