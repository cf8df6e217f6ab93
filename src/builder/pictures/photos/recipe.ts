/** The parameters that pictures are made with. */
import { WIDTHS, RATIO } from '../../../domain/photos/picture-sizes.ts'

// Measured on photos of 12 megapixels: effort 4 takes 9 times as long as effort 2 for 7 % fewer bytes; quality 50
// takes 30 % more bytes than 45 for a difference that cards of this size do not show.
export const AVIF = { quality: 45, effort: 2 }

/**
 * Stored with each picture; a picture with another recipe is made again. Raise `version` when a change of the code
 * changes pictures.
 */
export const RECIPE = JSON.stringify({ version: 1, WIDTHS, RATIO, AVIF })
