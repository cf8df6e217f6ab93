/** The parameters that pictures are made with. */
import { LARGE_WIDTHS, RATIO, WIDTHS } from '../../domain/photos/picture-sizes.ts'

// Measured on photos of 12 megapixels. Effort 2 takes twice the time of effort 1 for the same size. Quality 50 takes
// 30 % more bytes than 45, with no visible difference on cards.
export const AVIF = { quality: 45, effort: 1 }

/** Chats show pictures below 300 kB, with sides of at least 300 pixels, uncropped up to four times as long as wide. */
export const JPEG = { width: 1_080, height: 1_440, bytes: 300_000, side: 300, ratio: 4 }

/** Stored with each picture; one of another recipe is made again. Raise `version` when the code changes pictures. */
export const RECIPE = JSON.stringify({ version: 3, WIDTHS, LARGE_WIDTHS, RATIO, AVIF, JPEG })
