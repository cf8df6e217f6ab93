/** The data of a page's link preview. */
import type { Summary } from '../catalogue/summary.ts'
import { formatDescription } from '../messages.ts'
import type { PictureSource } from '../photos/picture.ts'
import { formatCataloguePath } from './paths.ts'

export type Sharing = {
  readonly title: string
  readonly description: string
  /** Canonical path of the page; `null` excludes the page from search engines. */
  readonly path: string | null
  readonly picture: PreviewPicture | null
  /** Only for the page of a product. `offer` is `null` if no size has a price that rounds to more than 0. */
  readonly product?: { readonly offer: PreviewOffer | null }
}

/** `price` is in Dominican pesos. */
export type PreviewOffer = { readonly price: number; readonly available: boolean }

/** A picture file of the site. `path` has no slash in front; sizes are in pixels. */
export type PreviewPicture = {
  readonly path: string
  readonly width: number
  readonly height: number
  /**
   * The same picture as AVIF, in the widths for the product's page. Absent, for example, in pictures of sellers and in
   * feeds.
   */
  readonly sources?: readonly PictureSource[]
}

/** The size of the pictures that show a seller or the home page, in pixels. */
const SOCIAL_SIZE = { width: 1_200, height: 630 }

/** Creates the link preview of a catalogue. `social` is the path of the seller's picture; `null` for none. */
export function createCatalogueSharing({
  seller,
  name,
  summary,
  social,
}: {
  readonly seller: string
  readonly name: string
  readonly summary: Summary
  readonly social: string | null
}): Sharing {
  return {
    title: name,
    description: formatDescription(summary),
    path: summary.count > 0 ? formatCataloguePath(seller) : null,
    picture: createSocialPreview(social),
  }
}

export function createSocialPreview(path: string | null): PreviewPicture | null {
  return path === null ? null : { path, ...SOCIAL_SIZE }
}
