/** Encodes one picture in several widths. */
import type { Sharp } from 'sharp'
import type { PictureSource } from '../../../domain/photos/picture.ts'
import type { StoredFile } from '../store/photo-store.ts'
import { formatPhotoPath } from './picture-names.ts'
import { AVIF } from './recipe.ts'

interface EncodedSize {
  readonly width: number
  readonly bytes: Uint8Array
}

/** Encodes one AVIF file for each width. `resize` returns the picture scaled to a width. */
export function encodeSizes(
  widths: readonly number[],
  resize: (width: number) => Sharp,
): Promise<readonly EncodedSize[]> {
  return Promise.all(
    widths.map(async (width) => ({ width, bytes: await resize(width).avif(AVIF).toBuffer() })),
  )
}

export function nameSizes(
  stem: string,
  sizes: readonly EncodedSize[],
): { readonly sources: readonly PictureSource[]; readonly files: readonly StoredFile[] } {
  const named = sizes.map((size) => ({ ...size, path: formatPhotoPath(stem, size.width) }))
  return {
    sources: named.map(({ path, width }) => ({ path, width })),
    files: named.map(({ path, bytes }) => ({ path, bytes })),
  }
}
