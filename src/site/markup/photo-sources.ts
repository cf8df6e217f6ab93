/** The address of a product's photo, its smaller sizes, and the width at which a card shows it. */
import type { Product } from '../../domain/documents/product.ts'
import { findFallback } from '../../domain/pages/paths.ts'
import type { PreviewPicture } from '../../domain/pages/sharing.ts'
import type { Picture } from '../../domain/photos/picture.ts'
import { PHOTO_FOLDER } from '../../domain/photos/picture.ts'
import type { ShownPhoto } from './photo.ts'

/** Returns the preview if it is the product's whole photo; `null` if it is the seller's social picture, or absent. */
export function findWhole(preview: PreviewPicture | null): PreviewPicture | null {
  return preview?.path.startsWith(PHOTO_FOLDER) === true ? preview : null
}

/**
 * Returns the address of the large photo; `null` if there is none. A photo on another host is not used, because the
 * seller could serve a page at that address.
 */
export function findLarge({ photo }: Pick<Product, 'photo'>, whole: PreviewPicture | null): string | null {
  if (whole !== null) return `/${whole.path}`
  return photo?.startsWith('/') === true ? photo : null
}

/** The `sizes` of card photos: the width of a column of `.products`, without gaps and edges. */
const PHOTO_SIZES = [
  '(min-width: 75rem) 13.4rem',
  '(min-width: 60rem) calc(25vw - 1.875rem)',
  '(min-width: 40rem) calc(33.3vw - 2rem)',
  '(min-width: 30rem) calc(33.3vw - 1rem)',
  'calc(50vw - 1.125rem)',
].join(', ')

/** Returns the photo as a card shows it. `picture`: the photo in small sizes; `null` if there are none. */
export function showCardPhoto(product: Pick<Product, 'photo'>, picture: Picture | null): ShownPhoto {
  const src = findFallback(product, picture)
  if (picture === null) return { src, srcset: '', sizes: '', type: null, tone: null }
  const { type, tone } = picture
  return { src, srcset: formatSources(picture), sizes: PHOTO_SIZES, type, tone }
}

/** Returns the `srcset` of all sizes of a picture. */
export function formatSources({ sources }: Picture): string {
  return sources.map(({ path, width }) => `/${path} ${width}w`).join(', ')
}
