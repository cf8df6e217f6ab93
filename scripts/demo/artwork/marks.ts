/** The shop's mark and the quiet picture of a product without a photo. */
import { DOWN, linear, path, svg } from './svg.ts'

const OUTLINE =
  'M122 222q0-18 18-18h120q18 0 18 18v190q0 18-18 18h-120q-18 0-18-18zM174 204v-26h52v26M160 178v-74q0-10 10-10h60q10 0 10 10v74zM122 280h156'

/** Placeholder: a bottle in outline, without a word. */
export const drawNoPhoto = (): string =>
  svg(
    400,
    500,
    linear('no-photo-wall', '#cbc6bf, #e4e0da .74, #c5bfb7 .8, #dcd7d0 1', DOWN) +
      path('M0 0h400v500H0z', 'fill="url(#no-photo-wall)"') +
      path('M122 280h156v132q0 18-18 18h-120q-18 0-18-18z', 'fill="#fff" fill-opacity=".35"') +
      path(OUTLINE, 'fill="none" stroke="#968f85" stroke-width="4" stroke-linejoin="round"'),
  )

const GROUND = '#6d1330'

// A V that is also a bottle with its perfume and its cap.
const MARK =
  path('M10.5 14h11L16 25z', 'fill="#f5b94a"') +
  path(
    'M7 10l9 17l9-17',
    'fill="none" stroke="#fff" stroke-width="3.6" stroke-linejoin="round" stroke-linecap="round"',
  ) +
  path('M13 4h6v6h-6z', 'fill="#fff"')

export const drawFavicon = (): string =>
  svg(32, 32, `<rect width="32" height="32" rx="8" fill="${GROUND}"/>${MARK}`)

/** The mark on a ground without corners. `scale` 1 is the size of the favicon. */
export const drawFullMark = (scale: number): string =>
  svg(
    32,
    32,
    `<rect width="32" height="32" fill="${GROUND}"/>` +
      `<g transform="translate(16 16)scale(${scale})translate(-16 -16)">${MARK}</g>`,
  )
