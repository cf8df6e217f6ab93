/** Photos of the site's own public folder that are not there. */
import type { Catalogue } from '../catalogue/catalogue.ts'

/** The catalogue without photos that `publicFiles`, paths from the public folder, lacks. */
export function dropLostPhotos(catalogue: Catalogue, publicFiles: ReadonlySet<string>): Catalogue {
  const isLost = (photo: string | null): boolean =>
    photo !== null && photo.startsWith('/') && !publicFiles.has(decodeURIComponent(photo.slice(1)))
  const products = catalogue.products.map((product) =>
    isLost(product.photo) ? { ...product, photo: null } : product,
  )
  return { ...catalogue, products }
}
