/**
 * Divides the photos of a catalogue into those to resize and those that are refused. Leaves out SVG files of the site,
 * which need no resizing.
 */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { PhotoHosts } from './photo-hosts.ts'
import { placePhoto } from './photo-hosts.ts'

/** A product whose photo is shown from its original address, and the reason. */
export interface UnmadePicture {
  readonly product: string
  readonly address: string
  readonly reason: string
}

interface SortedPhotos {
  /** The distinct addresses of the photos to resize. */
  readonly addresses: readonly string[]
  readonly refused: readonly UnmadePicture[]
}

export function sortPhotos({ products }: Catalogue, hosts: PhotoHosts): SortedPhotos {
  const addresses = new Set<string>()
  const refused: UnmadePicture[] = []
  for (const { id, photo } of products) {
    if (photo === null) continue
    const place = placePhoto(photo, hosts)
    if (place.kind === 'refused') refused.push({ product: id, address: photo, reason: place.reason })
    else if (place.kind !== 'drawing') addresses.add(photo)
  }
  return { addresses: [...addresses], refused }
}
