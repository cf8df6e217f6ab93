/** The inputs of a seller's or the home page's picture for shared links, and its name, which is their hash. */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { formatSocialCount, SOCIAL_HOME } from '../../domain/messages.ts'
import { HOME_ITEMS } from '../../domain/pages/home.ts'
import { formatCataloguePath } from '../../domain/pages/paths.ts'
import { placePhoto } from '../../domain/photos/photo-hosts.ts'
import { SOCIAL_FOLDER } from '../../domain/photos/picture.ts'
import { hashBytes } from '../files/file-hashes.ts'
import type { PictureTools } from './update-photo.ts'

export interface SocialInputs {
  /** The site's name; empty if `name` already is the site's name. */
  readonly brand: string
  readonly name: string
  /** Path of the page. Shown instead of the name if no letter of the name can be drawn. */
  readonly address: string
  /** A short text under the name, such as the number of products. */
  readonly line: string
  /** Paths of at most four photos: JPEGs of the picture store, or drawings in the public folder. */
  readonly photos: readonly string[]
}

/** Raise this when the code draws equal inputs differently. */
const SOCIAL_VERSION = 5
const PHOTOS = 4

/** Returns the path of the picture. `publicFiles` has the hashes of drawings; a JPEG has that of its bytes as its name. */
export function nameSocial(inputs: SocialInputs, publicFiles: Readonly<Record<string, string>>): string {
  const drawings = inputs.photos.map((path) => publicFiles[path] ?? null)
  const digest = hashBytes(JSON.stringify([SOCIAL_VERSION, inputs, drawings]))
  return `${SOCIAL_FOLDER}${digest.slice(0, 20)}.jpg`
}

export function readHomeInputs(brand: string): SocialInputs {
  const photos = HOME_ITEMS.map(({ cover }) => cover.uri.slice(1))
  return { brand: '', name: brand, address: '/', line: SOCIAL_HOME, photos }
}

export function readSocialInputs(catalogue: Catalogue, tools: PictureTools): SocialInputs {
  const { seller, name, products } = catalogue
  const addresses = [...new Set(products.flatMap(({ photo }) => photo ?? []))]
  return {
    brand: tools.brand,
    name,
    address: formatCataloguePath(seller),
    line: formatSocialCount(products.length),
    photos: findPhotos(addresses, tools),
  }
}

// Returns the first photos that can be drawn.
function findPhotos(addresses: readonly string[], { store, hosts }: PictureTools): readonly string[] {
  const pictures = store.findPictures(addresses)
  const photos = addresses.flatMap((address) => {
    const path = pictures.get(address)?.picture.fallback
    if (path !== undefined) return path
    return placePhoto(address, hosts).kind === 'drawing' ? decodeURIComponent(address.slice(1)) : []
  })
  return photos.slice(0, PHOTOS)
}
