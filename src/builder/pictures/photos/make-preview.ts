/** Makes uncropped files of a photo: a JPEG for a product's link preview in chats, and AVIF for the product's page. */
import type { Sharp } from 'sharp'
import type { PreviewPicture } from '../../../domain/pages/sharing.ts'
import { LARGE_WIDTHS } from '../../../domain/photos/picture-sizes.ts'
import type { StoredFile } from '../store/photo-store.ts'
import { encodeSizes, nameSizes } from './encode-sizes.ts'
import { formatPhotoStem, formatPreviewPath } from './picture-names.ts'
import { PREVIEW } from './recipe.ts'

export interface MadePreview {
  readonly preview: Required<PreviewPicture>
  readonly files: readonly StoredFile[]
}

export interface PhotoSize {
  readonly width: number
  readonly height: number
}

/** Returns whether chat programs show a picture of these proportions uncropped. */
export function isPreviewShape({ width, height }: PhotoSize): boolean {
  return Math.max(width, height) <= PREVIEW.ratio * Math.min(width, height)
}

/** `open` returns the decoded photo, whose dimensions are `size`. Returns `null` if no JPEG fits the limits. */
export async function makePreview(open: () => Sharp, size: PhotoSize): Promise<MadePreview | null> {
  const jpeg = await makeJpeg(open, size)
  if (jpeg === null) return null
  const widths = [...new Set(LARGE_WIDTHS.map((width) => Math.min(width, size.width)))]
  const sizes = await encodeSizes(widths, (width) => open().resize(width))
  const { sources, files } = nameSizes(formatPhotoStem(sizes.map(({ bytes }) => bytes)), sizes)
  const { path, width, height, bytes } = jpeg
  return { preview: { path, width, height, sources }, files: [...files, { path, bytes }] }
}

async function makeJpeg(open: () => Sharp, size: PhotoSize): Promise<(StoredFile & PhotoSize) | null> {
  for (const { width, height, quality } of listTries(size)) {
    const bytes = await open()
      .resize(width, height)
      .flatten({ background: '#fff' })
      .jpeg({ quality })
      .toBuffer()
    if (bytes.length < PREVIEW.bytes) return { path: formatPreviewPath(bytes), width, height, bytes }
  }
  return null
}

function listTries({ width, height }: PhotoSize): readonly (PhotoSize & { readonly quality: number })[] {
  const sizes = PREVIEW.scales.map((scale) => ({
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  }))
  return sizes
    .filter((size) => Math.min(size.width, size.height) >= PREVIEW.side)
    .flatMap((size) => PREVIEW.qualities.map((quality) => ({ ...size, quality })))
}
