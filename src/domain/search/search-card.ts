/** The cards of a search file, lines of JSON: what a result shows of a seller or a product. */
import type { PageSwitches } from '../documents/page-switches.ts'
import type { Product, ProductSeller } from '../documents/product.ts'
import { formatDecants } from '../messages.ts'
import { findFallback, formatCataloguePath, formatProductLink, NO_PHOTO } from '../pages/paths.ts'
import type { Picture } from '../photos/picture.ts'
import { formatTransformations } from '../photos/transformations.ts'

export type FoundSeller = ProductSeller & { readonly products: number }

export interface SearchCard extends Pick<Product, 'name' | 'price' | 'available'> {
  /** The part of the product's address that follows the address of its catalogue. */
  readonly link: string
  /** The available decants as people read them; empty for none. */
  readonly decants: string
  /** Address of the photo for browsers that do not use `srcset`. */
  readonly photo: string
  /** The photo in its smallest size; empty for none. */
  readonly srcset: string
  /** MIME type of `srcset`; `null` if the edge chooses the format. */
  readonly type: string | null
  /** Index of the placeholder colour in `TONES`; `null` for none. */
  readonly tone: number | null
}

/** `picture` is the product's photo in small sizes; `null` if there are none. */
export function formatCard(
  product: Product,
  picture: Picture | null,
  { seller, switches }: { readonly seller: string; readonly switches: PageSwitches },
): string {
  const { id, name, price, available } = product
  const link = formatProductLink(switches, seller, id).slice(formatCataloguePath(seller).length)
  // A photo without a picture is shown only if it is on the site itself: a seller who controls the photo's host could
  // otherwise learn who searches for what.
  const isShown = picture !== null || product.photo?.startsWith('/') === true
  const photo = isShown ? findFallback(product, picture) : NO_PHOTO
  const facts = [link, name, price, available, formatDecants(product), photo]
  if (picture === null) return JSON.stringify(facts)
  const { type, tone } = picture
  // The address of a picture that the edge makes follows from the photo, so it is left out.
  return JSON.stringify([...facts, ...(type === null ? [null] : [formatSmallest(picture), type, tone])])
}

/** Returns the seller whose card begins at `place`. */
export function readSeller(cards: string, place: number): FoundSeller {
  const [id, name, products] = JSON.parse(readLine(cards, place))
  return { id, name, products }
}

/** Returns the product whose card begins at `place`. */
export function readCard(cards: string, place: number): SearchCard {
  const line = readLine(cards, place)
  const [link, name, price, available, decants, photo, made = '', type = null, tone = null] = JSON.parse(line)
  const srcset = made ?? formatSmallest(formatTransformations(photo))
  return { link, name, price, available, decants, photo, srcset, type, tone }
}

function readLine(cards: string, place: number): string {
  return cards.slice(place, cards.indexOf('\n', place))
}

function formatSmallest({ sources: [smallest] }: Picture): string {
  return smallest === undefined ? '' : `/${smallest.path}`
}
