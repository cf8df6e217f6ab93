/** The photos of a catalogue by what may be done with them. */
import type { Catalogue } from '../domain/catalogue.ts'
import type { PhotoHosts } from '../domain/photo-hosts.ts'
import { placePhoto } from '../domain/photo-hosts.ts'
import type { Trouble } from './pictures.ts'

export interface SortedPhotos {
  /** Each once. */
  readonly addresses: readonly string[]
  readonly refused: readonly Trouble[]
}

/** The photos of a catalogue that may have a picture, and those that may not. */
export function sortPhotos({ products }: Catalogue, hosts: PhotoHosts): SortedPhotos {
  const addresses = new Set<string>()
  const refused: Trouble[] = []
  for (const { id, photo } of products) {
    if (photo === null) continue
    const place = placePhoto(photo, hosts)
    if (place.kind === 'refused') refused.push({ product: id, address: photo, reason: place.reason })
    else if (place.kind !== 'drawing') addresses.add(photo)
  }
  return { addresses: [...addresses], refused }
}
