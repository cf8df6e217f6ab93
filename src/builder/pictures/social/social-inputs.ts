/** The inputs of a seller's picture for shared links, and their hash. */
import { createHash } from 'node:crypto'
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import type { PhotoHosts } from '../../../domain/photos/photo-hosts.ts'
import { placePhoto } from '../../../domain/photos/photo-hosts.ts'
import { formatSocialCount } from '../../../domain/messages.ts'
import type { PictureStore } from '../store/picture-store.ts'

export interface SocialInputs {
  readonly brand: string
  readonly name: string
  readonly count: string
  /** At most four. */
  readonly photos: readonly SocialPhoto[]
}

/** A file of the store, or a drawing of the public folder. */
export type SocialPhoto = { readonly kind: 'stored' | 'own'; readonly path: string }

export interface SocialTools {
  readonly store: PictureStore
  readonly hosts: PhotoHosts
  /** A file of the site's own public folder, `null` when there is none. */
  readonly readPublicFile: (path: string) => Uint8Array | null
  /** The site's name. */
  readonly brand: string
}

/** Raise it when the drawing of the same inputs changes. */
export const SOCIAL_VERSION = 2
const PHOTOS = 4

/** `null` for a seller without products. */
export function readSocialInputs(catalogue: Catalogue, tools: SocialTools): SocialInputs | null {
  const { name, products } = catalogue
  if (products.length === 0) return null
  const addresses = [...new Set(products.flatMap(({ photo }) => photo ?? []))]
  return {
    brand: tools.brand,
    name,
    count: formatSocialCount(products.length),
    photos: findPhotos(addresses, tools),
  }
}

export function hashInputs(inputs: SocialInputs, { readPublicFile }: SocialTools): string {
  const hash = createHash('sha256').update(JSON.stringify([SOCIAL_VERSION, inputs]))
  // The names of stored files contain a hash of their content.
  const own = inputs.photos.filter(({ kind }) => kind === 'own')
  for (const { path } of own) hash.update(readPublicFile(path) ?? '')
  return hash.digest('hex')
}

/** Whether the stored picture has the current inputs; for a seller without products, whether there is none. */
export function isSocialCurrent(catalogue: Catalogue, tools: SocialTools): boolean {
  const inputs = readSocialInputs(catalogue, tools)
  const known = tools.store.findSocial(catalogue.seller)
  return known?.inputs === (inputs === null ? undefined : hashInputs(inputs, tools))
}

// Returns the first photos of the page that can be drawn.
function findPhotos(addresses: readonly string[], { store, hosts }: SocialTools): readonly SocialPhoto[] {
  const pictures = store.findPictures(addresses)
  const photos = addresses.flatMap((address): readonly SocialPhoto[] => {
    const stored = pictures.get(address)?.sources.at(-1)
    if (stored !== undefined) return [{ kind: 'stored', path: stored.path }]
    const isDrawing = placePhoto(address, hosts).kind === 'drawing'
    return isDrawing ? [{ kind: 'own', path: decodeURIComponent(address.slice(1)) }] : []
  })
  return photos.slice(0, PHOTOS)
}
