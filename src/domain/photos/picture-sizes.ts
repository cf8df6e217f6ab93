/** The sizes of small pictures, whoever makes them. */

/** Cards are 4 : 5, and in a phone's two columns 160 to 190 CSS pixels wide: two and nearly three device pixels for each. */
export const WIDTHS = [344, 496] as const
export const RATIO = 5 / 4
