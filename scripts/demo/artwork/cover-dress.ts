/** Home cover: a satin dress on a golden hanger, filling the frame. */
import { DOWN, glow, linear, path, radial, svg } from './svg.ts'

const DRESS =
  'M156 134C148 156 152 180 160 204C165 222 166 232 168 244C150 306 108 384 76 452q16 14 34 5q17-9 32 4q14 11 29 2q14-9 29 2q15-11 29-2q15 9 29-2q15-13 32-4q18 9 34-5C292 384 250 306 232 244C234 232 235 222 240 204C248 180 252 156 244 134C230 124 212 130 200 150C188 130 170 124 156 134z'
const FOLDS_DARK =
  'M176 252C160 322 130 398 110 456q12-4 22 0C150 396 174 322 182 252zM196 252C192 330 178 404 170 462q10 4 18 0C194 404 202 330 204 252zM220 252C230 322 246 398 262 458q10-8 22-4C262 390 236 322 228 252zM160 180q20 30 18 60l-6 0q-2-26-12-60z'
const FOLDS_LIGHT =
  'M186 252C174 326 156 400 146 460q8 4 14 2C170 400 186 326 190 252zM210 252C214 326 222 404 232 462q8 2 14-1C236 404 220 326 215 252zM172 250C150 314 112 390 92 456q6 2 10 0C124 392 160 314 176 250zM168 140q-6 30 6 62q-14-28-10-62z'

const PAINTS = [
  linear('dress-wall', '#5f8a86, #dcebe6 .78, #6f9a95 .84, #cfe3de 1', DOWN),
  linear('dress-satin', '#5c0717, #b51f38 .2, #ff8090 .38, #c22941 .5, #8c1026 .64, #dd4a5e .8, #56060f 1'),
  linear('dress-deep', '#3a040d00, #3a040dcc 1', DOWN),
  linear('dress-gold', '#7a5216, #ffeec0 .3, #c9973f .6, #6e4a17 1'),
  radial('dress-shadow', '#0f2a27d0, #0f2a2750 .6, #0f2a2700 1'),
  radial('dress-light', '#fffb, #fff0 1'),
].join('')

const studio = (): string =>
  path('M0 0h400v500H0z', 'fill="url(#dress-wall)"') +
  path('M44 412v-222a156 156 0 0 1 312 0v222z', 'fill="#e9f3ef" fill-opacity=".6"') +
  glow(200, 250, 200, 250, 'dress-light') +
  path('M0 150L210 0h90L0 240z', 'fill="#fff2"') +
  glow(206, 470, 190, 20, 'dress-shadow')

const hanger = (): string =>
  path('M0 30h400v9H0z', 'fill="url(#dress-gold)"') +
  path(
    'M200 96V74q0-8 8-12a17 17 0 1 0-25-16',
    'fill="none" stroke="#b98a3a" stroke-width="5" stroke-linecap="round"',
  ) +
  path(
    'M118 120Q150 100 200 92Q250 100 282 120',
    'fill="none" stroke="#8a6224" stroke-width="11" stroke-linecap="round"',
  ) +
  path(
    'M120 118Q152 98 200 90Q248 98 280 118',
    'fill="none" stroke="#f1d592" stroke-width="3" stroke-linecap="round"',
  )

const dress = (): string =>
  path('M166 98L160 136M234 98L240 136', 'stroke="#a51a32" stroke-width="6" stroke-linecap="round"') +
  path(DRESS, 'fill="url(#dress-satin)"') +
  path(FOLDS_DARK, 'fill="#3a040d" fill-opacity=".38"') +
  path(FOLDS_LIGHT, 'fill="#ffd7db" fill-opacity=".35"') +
  path(DRESS, 'fill="url(#dress-deep)" fill-opacity=".5"') +
  path('M166 236q34 12 68 0l3 18q-37 12-74 0z', 'fill="url(#dress-gold)"') +
  path(
    'M156 134C170 124 188 130 200 150C212 130 230 124 244 134',
    'fill="none" stroke="#ffc4cb" stroke-width="2"',
  )

export const drawDress = (): string => svg(400, 500, PAINTS + studio() + hanger() + dress())
