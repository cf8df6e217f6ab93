/** Names of picture files, which contain hashes of their content. */
import { createHash } from 'node:crypto'
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../../domain/photos/picture.ts'

/**
 * Returns the common prefix of the paths of one photo's files. It contains a hash of `parts`, the bytes of these files,
 * which must have the same order at each call.
 */
export function formatPhotoStem(parts: readonly Uint8Array[]): string {
  return PHOTO_FOLDER + hashAll(parts)
}

export function formatPhotoPath(stem: string, width: number): string {
  return `${stem}-${width}.avif`
}

export function formatFallbackPath(stem: string): string {
  return `${stem}.jpg`
}

export function formatPreviewPath(bytes: Uint8Array): string {
  return `${PHOTO_FOLDER}${hashAll([bytes])}.jpg`
}

export function formatSocialPath(bytes: Uint8Array): string {
  return `${SOCIAL_FOLDER}${hashAll([bytes])}.jpg`
}

function hashAll(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex').slice(0, 20)
}
