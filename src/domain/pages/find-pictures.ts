/** Finds the pictures that the pages of a seller show, for each mode of the setting `PHOTOS`. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { PhotoHosts } from '../photos/photo-hosts.ts'
import { placePhoto } from '../photos/photo-hosts.ts'
import type { CataloguePictures, Picture } from '../photos/picture.ts'
import { sortPhotos } from '../photos/sort-photos.ts'
import { formatTransformations } from '../photos/transformations.ts'
import type { SellerParts } from './seller-parts.ts'
import type { PreviewPicture } from './sharing.ts'

export interface PictureFinder {
  find(catalogue: Catalogue): CataloguePictures
  /** Returns the picture in link previews of the products with this photo; `null` if there is none. */
  findPreview(photo: string): PreviewPicture | null
  /** Returns the path of the picture in link previews of the home page; `null` if there is none. */
  findHome(): string | null
}

/** Pictures that a builder has made. */
export interface MadePictures {
  /** Returns the pictures by the address of their photo. Photos without a picture are left out. */
  findPictures(addresses: readonly string[]): ReadonlyMap<string, Picture>
  /** Returns the picture in link previews of the products with this photo; `null` if there is none. */
  findPreview(address: string): PreviewPicture | null
  /** Returns the picture in link previews of a seller, or of the home page for `''`; `null` if there is none. */
  findSocial(name: string): { readonly path: string } | null
}

/** Name of the home page's picture among the pictures of sellers. No seller has an empty id. */
export const HOME = ''

/**
 * Creates a finder for a site whose builder makes no pictures. `findPicture` returns the picture of a photo, or `null`
 * to show the photo from its original address.
 */
export function createAddressFinder(findPicture: (address: string) => Picture | null): PictureFinder {
  const find = (photo: string | null): readonly (readonly [string, Picture])[] => {
    const picture = photo === null ? null : findPicture(photo)
    return photo === null || picture === null ? [] : [[photo, picture]]
  }
  return {
    find: ({ products }) => ({
      photos: new Map(products.flatMap(({ photo }) => find(photo))),
      social: null,
    }),
    findPreview: () => null,
    findHome: () => null,
  }
}

/**
 * Creates a function that returns the picture that the edge makes of a photo; `null` if it makes none: for an SVG file,
 * or a photo that it may not fetch.
 */
export function createServiceLookUp(hosts: PhotoHosts): (address: string) => Picture | null {
  return (address) => (isMade(address, hosts) ? formatTransformations(address) : null)
}

export function createMadeFinder(hosts: PhotoHosts, made: MadePictures): PictureFinder {
  return {
    find: (catalogue) => findMadePictures(catalogue, hosts, made),
    // The store may still have previews of photos whose host is no longer listed. They are not shown.
    findPreview: (photo) => (isMade(photo, hosts) ? made.findPreview(photo) : null),
    findHome: () => made.findSocial(HOME)?.path ?? null,
  }
}

export function findSellerPictures(
  catalogue: Catalogue,
  finder: PictureFinder,
): Pick<SellerParts, 'pictures' | 'previews'> {
  const pictures = finder.find(catalogue)
  return { pictures, previews: findPreviews(pictures, finder) }
}

/**
 * Returns the pictures in link previews of products, by the address of their photo. Skips photos without a picture:
 * they have no preview either, because picture and preview are made together.
 */
function findPreviews(
  { photos }: CataloguePictures,
  { findPreview }: Pick<PictureFinder, 'findPreview'>,
): Readonly<Record<string, PreviewPicture>> {
  const found = [...photos.keys()].map((photo) => [photo, findPreview(photo)] as const)
  return Object.fromEntries(found.flatMap(([photo, preview]) => (preview === null ? [] : [[photo, preview]])))
}

/** The photos in the result have the order of their products. */
function findMadePictures(catalogue: Catalogue, hosts: PhotoHosts, made: MadePictures): CataloguePictures {
  const { addresses } = sortPhotos(catalogue, hosts)
  const found = addresses.length === 0 ? null : made.findPictures(addresses)
  const photos = addresses.flatMap((address) => {
    const picture = found?.get(address)
    return picture === undefined ? [] : [[address, picture] as const]
  })
  // The social picture may be outdated. It is shown until a new one is drawn.
  const social = catalogue.products.length === 0 ? null : made.findSocial(catalogue.seller)
  return { photos: new Map(photos), social: social?.path ?? null }
}

function isMade(address: string, hosts: PhotoHosts): boolean {
  const { kind } = placePhoto(address, hosts)
  return kind === 'remote' || kind === 'own'
}
