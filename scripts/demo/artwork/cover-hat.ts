/** Home cover: a straw hat with a ribbon on a transparent ground. */
import { DOWN, glow, linear, path, radial, svg } from './svg.ts'

const BRIM =
  'M28 262C44 214 128 204 200 204C272 204 356 214 372 262C362 310 276 326 200 326C124 326 38 310 28 262z'
const CROWN =
  'M112 254C110 188 122 118 148 98C170 82 184 100 200 100C216 100 230 82 252 98C278 118 290 188 288 254C264 274 232 280 200 280C168 280 136 274 112 254z'
const BAND = 'M112 216C140 242 260 242 288 216L288 256C264 276 232 282 200 282C168 282 136 276 112 256z'
const WEAVE =
  'M118 190Q200 220 282 190M124 162Q200 192 276 162M132 134Q200 162 268 134M46 262Q90 226 118 222M354 262Q310 226 282 222M40 272Q120 318 200 318Q280 318 360 272M58 268Q130 304 200 304Q270 304 342 268'

const PAINTS = [
  linear('hat-brim', '#fbeed3, #e8cc98 .55, #c59a5c 1', DOWN),
  linear('hat-crown', '#b98d50, #fff4dc .24, #ecd2a0 .5, #c89d60 .8, #946a35 1'),
  linear('hat-band', '#4c0712, #d8455a .26, #9c1c30 .5, #5c0a18 .85, #3a040d 1'),
  radial('hat-shadow', '#2a180ab0, #2a180a50 .6, #2a180a00 1'),
  radial('hat-light', '#fffb, #fff0 1'),
].join('')

const bow = (): string =>
  path('M286 238q30-30 44-20q8 10-8 24q16 14 4 24q-16 8-40-18z', 'fill="#9c1c30"') +
  path('M286 240q24-20 38-16M286 246q22 14 34 14', 'fill="none" stroke="#e8808e" stroke-width="1.5"') +
  path('M276 230q12-4 16 2v22q-6 6-16 2z', 'fill="#c23349"')

const crown = (): string =>
  path(CROWN, 'fill="url(#hat-crown)"') +
  path(
    'M150 102C168 146 232 146 250 102C232 90 216 104 200 104C184 104 168 90 150 102z',
    'fill="#7a5426" opacity=".4"',
  ) +
  path(
    'M196 108q-8 26-4 50M204 108q8 26 4 50',
    'fill="none" stroke="#7a5426" stroke-opacity=".35" stroke-width="3"',
  ) +
  glow(156, 160, 28, 66, 'hat-light') +
  path(BAND, 'fill="url(#hat-band)"') +
  path('M113 222C140 246 260 246 287 222', 'fill="none" stroke="#f0a3ac" stroke-opacity=".6"')

export const drawHat = (): string =>
  svg(
    400,
    400,
    [
      PAINTS,
      glow(208, 318, 184, 40, 'hat-shadow'),
      path(BRIM, 'fill="#8a612f" transform="translate(0 7)"'),
      path(BRIM, 'fill="url(#hat-brim)" stroke="#fff6e0" stroke-opacity=".8" stroke-width="2"'),
      glow(214, 262, 130, 44, 'hat-shadow'),
      crown(),
      path(WEAVE, 'fill="none" stroke="#7a5426" stroke-opacity=".28" stroke-width="1.5"'),
      bow(),
    ].join(''),
  )
