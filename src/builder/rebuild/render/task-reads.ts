/**
 * Reads a seller's catalogue once for all pages of a task. Reading 25 products one by one takes seven times as long as
 * reading them together.
 */
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import type { Product } from '../../../domain/documents/product.ts'
import type { SellerPageKey } from '../../../domain/documents/page-table.ts'
import type { CataloguePictures } from '../../../domain/photos/picture.ts'
import type { PageDataSource } from '../plan/page-sources.ts'

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
  /** Pictures of the whole catalogue. They are found when a page of this seller first needs them. */
  pictures?: CataloguePictures
}

type TaskReads = Pick<PageDataSource, 'snapshot' | 'pictures'>

/** Returns `data` with reads that keep the most recently read catalogue in memory. Valid within one transaction. */
export function createTaskReads<Source extends TaskReads>(
  data: Source,
  pages: readonly SellerPageKey[],
): Source {
  const { snapshot, pictures } = data
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
  const readProduct = (seller: string, id: string): Catalogue | null => {
    const { catalogue, products } = isWorthwhile(seller) ? readSeller(seller) : NOTHING
    const product = products.get(id)
    // Reads the product separately if the seller's catalogue was not read, or if it lacks the product: a catalogue has
    // at most `MAX_PRODUCTS` products.
    if (catalogue === null || product === undefined) return snapshot.readProduct(seller, id)
    return { ...catalogue, products: [product] }
  }
  const findPictures = (catalogue: Catalogue): CataloguePictures => {
    const shown = catalogue.products
    const isOfLast = last?.seller === catalogue.seller && shown.every(({ id }) => last?.products.has(id))
    if (last?.catalogue == null || !isOfLast || shown.length === 0) return pictures.find(catalogue)
    const { photos, social } = (last.pictures ??= pictures.find(last.catalogue))
    return { photos: pickPhotos(photos, shown), social }
  }
  return {
    ...data,
    snapshot: { ...snapshot, readCatalogue: (seller) => readSeller(seller).catalogue, readProduct },
    pictures: { ...pictures, find: findPictures },
  }
}

// Returns the photos of these products, in the order of the products, as `PictureFinder` does.
function pickPhotos(photos: CataloguePictures['photos'], products: readonly Product[]): typeof photos {
  return Object.fromEntries(
    products.flatMap(({ photo }) => {
      const picture = photo === null ? undefined : photos[photo]
      return photo === null || picture === undefined ? [] : [[photo, picture]]
    }),
  )
}

const NOTHING: Pick<ReadSeller, 'catalogue' | 'products'> = { catalogue: null, products: new Map() }

function countProductPages(pages: readonly SellerPageKey[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { seller, product } of pages)
    if (product !== null) counts.set(seller, (counts.get(seller) ?? 0) + 1)
  return counts
}
