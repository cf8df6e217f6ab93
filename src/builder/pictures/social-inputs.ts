/** The inputs of a seller's or the home page's picture for shared links, and their hash. */
import { createHash } from 'node:crypto'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { PhotoHosts } from '../../domain/photos/photo-hosts.ts'
import { placePhoto } from '../../domain/photos/photo-hosts.ts'
import { formatSocialCount, SOCIAL_HOME } from '../../domain/messages.ts'
import { HOME_ITEMS } from '../../domain/pages/home.ts'
import { formatCataloguePath } from '../../domain/pages/paths.ts'
import type { PictureStore } from './picture-store.ts'

/**
 * The size that large social networks recommend. Source: https://developers.facebook.com/docs/sharing/webmasters/images
 */
export const SOCIAL_SIZE = { width: 1200, height: 630 } as const

export interface SocialInputs {
  /** The site's name; empty if `name` already is the site's name. */
  readonly brand: string
  readonly name: string
  /** Path of the page. Shown instead of the name if no letter of the name can be drawn. */
  readonly address: string
  /** A short text under the name, such as the number of products. */
  readonly line: string
  /** At most four. */
  readonly photos: readonly SocialPhoto[]
}

/** `stored`: a JPEG of the picture store. `own`: a drawing in the public folder. */
export type SocialPhoto = { readonly kind: 'stored' | 'own'; readonly path: string }

export interface SocialTools {
  readonly store: PictureStore
  readonly hosts: PhotoHosts
  /** Returns the bytes of a file in the site's public folder; `null` when there is none. */
  readonly readPublicFile: (path: string) => Uint8Array | null
  /** The site's name. */
  readonly brand: string
}

/**
 * Raise this when the code draws equal inputs differently, or when a fixed text in the inputs changes, such as
 * `SOCIAL_HOME`. The next run then checks the pictures of all pages.
 */
const SOCIAL_VERSION = 5
const PHOTOS = 4

export function readSocialInputs(catalogue: Catalogue, tools: SocialTools): SocialInputs {
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

export function readHomeInputs({ brand }: Pick<SocialTools, 'brand'>): SocialInputs {
  const covers = HOME_ITEMS.map(({ cover }) => ({ kind: 'own', path: cover.uri.slice(1) }) as const)
  return { brand: '', name: brand, address: '/', line: SOCIAL_HOME, photos: covers }
}

export function hashSocialInputs(inputs: SocialInputs, { readPublicFile }: SocialTools): string {
  const hash = createHash('sha256').update(JSON.stringify([SOCIAL_VERSION, inputs]))
  // Only own files are hashed: the names of stored files already contain a hash of their content.
  const own = inputs.photos.filter(({ kind }) => kind === 'own')
  for (const { path } of own) hash.update(readPublicFile(path) ?? '')
  return hash.digest('hex')
}

// Returns the first photos that can be drawn, at most `PHOTOS`.
function findPhotos(addresses: readonly string[], { store, hosts }: SocialTools): readonly SocialPhoto[] {
  const pictures = store.findPictures(addresses)
  const photos = addresses.flatMap((address): readonly SocialPhoto[] => {
    const path = pictures.get(address)?.fallback
    if (path !== undefined) return [{ kind: 'stored', path }]
    const isDrawing = placePhoto(address, hosts).kind === 'drawing'
    return isDrawing ? [{ kind: 'own', path: decodeURIComponent(address.slice(1)) }] : []
  })
  return photos.slice(0, PHOTOS)
}
