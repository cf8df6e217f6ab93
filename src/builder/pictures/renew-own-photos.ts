/** Finds photos of the public folder that were replaced under the same name, and queues them again. */
import { placePhoto } from '../../domain/photos/photo-hosts.ts'
import { hashBytes } from '../files/file-hashes.ts'
import type { SocialTools } from './social/social-inputs.ts'

/** SHA-256 of each public file, in hex, by path. */
type Hashes = Readonly<Record<string, string>>

type OwnPhotoTools = Pick<SocialTools, 'store' | 'hosts' | 'readPublicFile'>

/**
 * Deletes the pictures of replaced photos, and queues these photos again. Returns the sellers who show such a photo.
 */
export function renewOwnPhotos(files: Hashes, tools: OwnPhotoTools): readonly string[] {
  const { store } = tools
  const replaced = findReplaced(files, tools)
  if (replaced.length === 0) return []
  return store.transact(() => [...new Set(replaced.flatMap((address) => store.renew(address)))])
}

/** Returns the addresses of photos whose file differs from the bytes that were tried most recently. */
function findReplaced(files: Hashes, { store, hosts, readPublicFile }: OwnPhotoTools): readonly string[] {
  const replaced = store.readOwn().filter(({ address, source }) => {
    const place = placePhoto(address, hosts)
    if (place.kind !== 'own' || files[place.path] === undefined || files[place.path] === source) return false
    // In a long run `files` may be older than the picture, so the file is hashed again.
    const bytes = readPublicFile(place.path)
    return bytes !== null && hashBytes(bytes) !== source
  })
  return replaced.map(({ address }) => address)
}
