/** The parameters that pictures are made with. */
import { LARGE_WIDTHS, RATIO, WIDTHS } from '../../../domain/photos/picture-sizes.ts'

// Measured on photos of 12 megapixels: effort 2 takes twice as long as effort 1 for the same bytes, and effort 4 9 times as
// long as effort 2 for 7 % fewer; quality 50 takes 30 % more bytes than 45 for a difference that cards do not show.
export const AVIF = { quality: 45, effort: 1 }

/**
 * A second copy of the smallest size, for browsers without AVIF: phones that are old and small. A JPEG, because Safari 14 on an
 * older macOS has no WebP either.
 */
export const FALLBACK = { quality: 60 }

/**
 * The whole photo, which links to products show and the page of the product leads to. Chats want less than 300 kB and sides
 * of at least 300 pixels, and cut off what is longer than four times its width. The qualities, then the scales are tried
 * in turn. Measured on photos of 12 megapixels: 15 ms and 45 to 130 kB; mozjpeg takes 9 times as long for 11 % fewer bytes.
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

/** Like `RECIPE`, for previews and the sizes of the product's page. */
export const PREVIEW_RECIPE = JSON.stringify({ version: 2, LARGE_WIDTHS, AVIF, PREVIEW })

/**
 * Stored with each picture; a picture with another recipe is made again. Raise `version` when a change of the code
 * changes pictures.
 */
export const RECIPE = JSON.stringify({ version: 2, WIDTHS, RATIO, AVIF, FALLBACK })
