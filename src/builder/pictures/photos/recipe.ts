/** The parameters that pictures are made with. */
import { WIDTHS, RATIO } from '../../../domain/photos/picture-sizes.ts'

// Measured on photos of 12 megapixels: effort 4 takes 9 times as long as effort 2 for 7 % fewer bytes; quality 50
// takes 30 % more bytes than 45 for a difference that cards of this size do not show.
export const AVIF = { quality: 45, effort: 2 }

/**
 * The pictures that links to products show. Chats want less than 300 kB and sides of at least 300 pixels, and cut off
 * what is longer than four times its width. The qualities, then the scales are tried in turn. Measured on a photo of 12
 * megapixels: 10 ms and 45 to 110 kB; with mozjpeg, 90 ms for 11 % fewer bytes.
 */
export const PREVIEW = {
  bytes: 300_000,
  side: 300,
  ratio: 4,
  qualities: [75, 60, 45],
  scales: [1, 0.75, 0.5],
}

/** Like `RECIPE`, for previews. */
export const PREVIEW_RECIPE = JSON.stringify({ version: 1, WIDTHS, RATIO, PREVIEW })

/**
 * Stored with each picture; a picture with another recipe is made again. Raise `version` when a change of the code
 * changes pictures.
 */
export const RECIPE = JSON.stringify({ version: 1, WIDTHS, RATIO, AVIF })
