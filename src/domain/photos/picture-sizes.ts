/** The sizes of pictures, the same whether a builder or the edge resizes them. */

/**
 * Widths of pictures on cards, in pixels. Cards are 4:5, and 160 to 190 CSS pixels wide on phones, which have 2 to
 * nearly 3 device pixels per CSS pixel.
 */
export const WIDTHS = [344, 496] as const
export const RATIO = 5 / 4

/** Widths of the whole photo on its product's page, in pixels: that of a phone of 360 CSS pixels, 3 pixels each. */
export const LARGE_WIDTHS = [1080] as const
