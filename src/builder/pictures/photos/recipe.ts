/** The parameters that pictures are made with. */
import { LARGE_WIDTHS, RATIO, WIDTHS } from '../../../domain/photos/picture-sizes.ts'

// Measured on photos of 12 megapixels. Effort 2 takes twice the time of effort 1 for the same size; effort 4 takes 9
// times the time of effort 2 for 7 % fewer bytes. Quality 50 takes 30 % more bytes than 45, with no visible difference
// on cards.
export const AVIF = { quality: 45, effort: 1 }

/**
 * A second copy of the smallest size, for browsers without AVIF, which are mostly old phones with small screens. It is
 * a JPEG, because Safari 14 on older macOS does not support WebP either.
 */
export const FALLBACK = { quality: 60 }

/**
 * The preview: the uncropped photo, for link previews in chats and for the product's page. Chats require less than
 * 300 kB and sides of at least 300 pixels, and crop a picture whose long side exceeds four times the short one. For
 * each scale all qualities are tried, until the file is small enough. Measured on photos of 12 megapixels: 15 ms and 45
 * to 130 kB; mozjpeg takes 9 times as long for 11 % fewer bytes.
 */
export const PREVIEW = {
  width: 1_080,
  height: 1_440,
  bytes: 300_000,
  side: 300,
  ratio: 4,
  qualities: [75, 60, 45],
  scales: [1, 0.75, 0.5],
}

/** Same as `RECIPE`, but for previews and for the photo sizes of the product's page. */
export const PREVIEW_RECIPE = JSON.stringify({ version: 2, LARGE_WIDTHS, AVIF, PREVIEW })

/**
 * Stored with each picture; a picture with another recipe is made again. Raise `version` when a change of the code
 * changes pictures.
 */
export const RECIPE = JSON.stringify({ version: 2, WIDTHS, RATIO, AVIF, FALLBACK })
