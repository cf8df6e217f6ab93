/** The sizes of pictures, the same whether a builder or the edge resizes them. */

/**
 * Widths of pictures on cards, in pixels. Cards are 4:5, and 160 to 190 CSS pixels wide on phones, which have 2 to
 * nearly 3 device pixels per CSS pixel.
 */
export const WIDTHS = [344, 496] as const
export const RATIO = 5 / 4

/**
 * Widths of the whole photo on its product's page, in pixels. The photo is as wide as a phone: 360 CSS pixels, at 2 or
 * 3 device pixels each.
 */
export const LARGE_WIDTHS = [720, 1080] as const
