/** Drops photos that refer to a missing file of the public folder. */
import type { Catalogue } from '../catalogue/catalogue.ts'

/**
 * Returns the catalogue without lost photos. A photo is lost if it is a path of the site, but `publicFiles` does not
 * have the file. `publicFiles` has paths relative to the public folder.
 */
export function dropLostPhotos(catalogue: Catalogue, publicFiles: ReadonlySet<string>): Catalogue {
  const isLost = (photo: string | null): boolean =>
    photo !== null && photo.startsWith('/') && !publicFiles.has(decodeURIComponent(photo.slice(1)))
  const products = catalogue.products.map((product) =>
    isLost(product.photo) ? { ...product, photo: null } : product,
  )
  return { ...catalogue, products }
}
