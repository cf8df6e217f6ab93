/** The sizes of pictures, the same for local and edge resizing. */

/** In pixels. Cards are 4:5, and 160 to 190 CSS pixels wide on a phone: 2 to nearly 3 device pixels per CSS pixel. */
export const WIDTHS = [344, 496] as const
export const RATIO = 5 / 4

/** Widths of the whole photo on the page of its product, which is as wide as a phone: 360 CSS pixels of 2 or 3 device pixels. */
export const LARGE_WIDTHS = [720, 1080] as const
