/** The photos of a catalogue by what may be done with them. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { PhotoHosts } from './photo-hosts.ts'
import { placePhoto } from './photo-hosts.ts'

/** A product whose photo is shown under its original address, and why. */
export interface UnmadePicture {
  readonly product: string
  readonly address: string
  readonly reason: string
}

export interface SortedPhotos {
  /** Each once. */
  readonly addresses: readonly string[]
  readonly refused: readonly UnmadePicture[]
}

/** The photos of a catalogue that may have a picture, and those that may not. */
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
