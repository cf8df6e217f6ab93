/** Finds the pictures that the pages of a seller show, for each mode of the setting `PHOTOS`. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { PhotoHosts } from '../photos/photo-hosts.ts'
import { placePhoto } from '../photos/photo-hosts.ts'
import type { Picture } from '../photos/picture.ts'
import { sortPhotos } from '../photos/sort-photos.ts'
import { formatTransformations } from '../photos/transformations.ts'
import type { SellerParts } from './seller-parts.ts'
import type { PreviewPicture } from './sharing.ts'

export interface PictureFinder {
  find(catalogue: Catalogue): SellerPictures
  /** Returns the path of the picture in link previews of the home page; `null` if there is none. */
  findHome(): string | null
}

type SellerPictures = Pick<SellerParts, 'pictures' | 'previews'>

/** The pictures that a builder has made of one photo. */
export interface MadePhoto {
  readonly picture: Picture
  /** `null` if the photo is unfit for a link preview. */
  readonly preview: PreviewPicture | null
}

/** Pictures that a builder has made. */
export interface MadePictures {
  /** Returns the pictures by the address of their photo. Photos without a picture are left out. */
  findPictures(addresses: readonly string[]): ReadonlyMap<string, MadePhoto>
  /** Returns the path of a seller's picture for link previews, or of the home page's for `''`; `null` if there is none. */
  findSocial(name: string): string | null
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
      pictures: { photos: new Map(products.flatMap(({ photo }) => find(photo))), social: null },
      previews: {},
    }),
    findHome: () => null,
  }
}

/**
 * Creates a function that returns the picture that the edge makes of a photo; `null` if it makes none: for an SVG file,
 * or a photo that it may not fetch.
 */
export function createServiceLookUp(hosts: PhotoHosts): (address: string) => Picture | null {
  return (address) => {
    const { kind } = placePhoto(address, hosts)
    return kind === 'remote' || kind === 'own' ? formatTransformations(address) : null
  }
}

export function createMadeFinder(hosts: PhotoHosts, made: MadePictures): PictureFinder {
  return {
    find: (catalogue) => findMadePictures(catalogue, hosts, made),
    findHome: () => made.findSocial(HOME),
  }
}

/** The photos in the result have the order of their products. */
function findMadePictures(catalogue: Catalogue, hosts: PhotoHosts, made: MadePictures): SellerPictures {
  // The store may still have pictures of photos whose host is no longer listed. They are not shown.
  const { addresses } = sortPhotos(catalogue, hosts)
  const found = addresses.length === 0 ? null : made.findPictures(addresses)
  const photos = new Map<string, Picture>()
  const previews: Record<string, PreviewPicture> = {}
  for (const address of addresses) {
    const photo = found?.get(address)
    if (photo === undefined) continue
    photos.set(address, photo.picture)
    if (photo.preview !== null) previews[address] = photo.preview
  }
  // The social picture may be outdated. It is shown until a new one is drawn.
  const social = catalogue.products.length === 0 ? null : made.findSocial(catalogue.seller)
  return { pictures: { photos, social }, previews }
}
