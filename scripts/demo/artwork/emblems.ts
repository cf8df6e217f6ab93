/** Small abstract emblems for the labels: outlines of about 24 × 24 from their top. */
export const DIAMOND = 'l9 12l-9 12l-9-12z'
export const RING = 'a12 12 0 1 1-.1 0z'
export const STAR = 'q2 10 12 12q-10 2-12 12q-2-10-12-12q10-2 12-12z'
export const LEAF = 'c12 10 10 18 0 26c-10-8-12-16 0-26v26'
export const MOON = 'a12 12 0 1 0 11 19a11 11 0 1 1-11-19z'
export const DEW = 'c8 11 10 13 10 16a10 10 0 0 1-20 0c0-3 2-5 10-16z'
