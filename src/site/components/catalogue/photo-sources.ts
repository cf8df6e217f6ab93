/** The address of a product's photo, its smaller sizes, and the width at which a card shows it. */
import type { Product } from '../../../domain/documents/product.ts'
import { NO_PHOTO } from '../../../domain/pages/paths.ts'
import type { PreviewPicture } from '../../../domain/pages/sharing.ts'
import type { Picture } from '../../../domain/photos/picture.ts'
import { PHOTO_FOLDER } from '../../../domain/photos/picture.ts'

/** The address for browsers that know none of the picture's formats: its JPEG, else the photo as it was uploaded. */
export function findFallback({ photo }: Pick<Product, 'photo'>, picture: Picture | null): string {
  return picture?.fallback === undefined ? (photo ?? NO_PHOTO) : `/${picture.fallback}`
}

/** Returns the whole photo; `null` if the preview is the picture of the seller, or absent. */
export function findWhole(preview: PreviewPicture | null): PreviewPicture | null {
  return preview?.path.startsWith(PHOTO_FOLDER) === true ? preview : null
}

/**
 * The address that shows the photo large; `null` for none. An address on another host counts as none: a seller could lead
 * visitors to a page of her own.
 */
export function findLarge({ photo }: Pick<Product, 'photo'>, whole: PreviewPicture | null): string | null {
  if (whole !== null) return `/${whole.path}`
  return photo?.startsWith('/') === true ? photo : null
}

/**
 * The photo of a product in a list of many sellers. A seller may run the host of a photo, and would learn there who looks
 * for what: only photos of listed hosts, which have a picture, and the site's own are shown.
 */
export function findListedPhoto(product: Pick<Product, 'photo'>, picture: Picture | null): string {
  const isListed = picture !== null || product.photo?.startsWith('/') === true
  return isListed ? findFallback(product, picture) : NO_PHOTO
}

/** The `sizes` of card photos: the width of a column of `.products` without its gaps and edges. */
export const PHOTO_SIZES = [
  '(min-width: 75rem) 13.4rem',
  '(min-width: 60rem) calc(25vw - 1.875rem)',
  '(min-width: 40rem) calc(33.3vw - 2rem)',
  '(min-width: 30rem) calc(33.3vw - 1rem)',
  'calc(50vw - 1.125rem)',
].join(', ')

/** The `srcset` of the smallest size, for photos of at most 7 rem. */
export function formatSmallestSource({ sources: [smallest] }: Picture): string {
  return smallest === undefined ? '' : `/${smallest.path}`
}

/** Returns the `srcset` of a picture. */
export function formatSources({ sources }: Picture): string {
  return sources.map(({ path, width }) => `/${path} ${width}w`).join(', ')
}
