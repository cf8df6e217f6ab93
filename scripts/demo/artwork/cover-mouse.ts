/** Home cover: a pearl and graphite computer mouse on a transparent ground. */
import { DOWN, linear, path, svg } from './svg.ts'

const SHELL =
  'M200 62C264 62 284 124 282 202C280 288 252 338 200 338C148 338 120 288 118 202C116 124 136 62 200 62z'
const BUTTONS = 'M200 62C264 62 284 124 282 196Q240 214 200 214Q160 214 118 196C116 124 136 62 200 62z'
const EMBLEM = 'M200 266l10 14l-10 14l-10-14z'

const PAINTS = [
  linear('mouse-shell', '#8d8178, #f8efe4 .2, #e9dccd .5, #bfae9e .82, #6f635a 1'),
  linear('mouse-buttons', '#d8c9b9, #f4eadd .35, #d2c2b1 1', DOWN),
  linear('mouse-base', '#3c4250, #6c7486 .5, #171a22 1'),
  linear('mouse-gold', '#641, #feb .3, #c94 .6, #641 1', DOWN),
].join('')

const wheel = (): string =>
  path('M200 96a17 17 0 0 1 17 17v48a17 17 0 0 1-34 0v-48a17 17 0 0 1 17-17z', 'fill="#2a2e38"') +
  path('M200 102a11 11 0 0 1 11 11v48a11 11 0 0 1-22 0v-48a11 11 0 0 1 11-11z', 'fill="url(#mouse-gold)"') +
  path('M190 118h20m-20 9h20m-20 9h20m-20 9h20m-20 9h20', 'stroke="#0007" stroke-width="2"')

const body = (): string =>
  path(SHELL, 'fill="url(#mouse-base)" transform="translate(-4 12) scale(1.02 1.01)"') +
  path(SHELL, 'fill="url(#mouse-shell)" stroke="#7c6f64" stroke-opacity=".5"') +
  path(BUTTONS, 'fill="url(#mouse-buttons)" fill-opacity=".6"') +
  path('M118 197Q160 215 200 215Q240 215 282 197', 'fill="none" stroke="#c94" stroke-width="2.5"') +
  path('M200 63v150', 'stroke="#6b5f56" stroke-width="2"') +
  path('M142 150q4-52 36-70q-18 30-16 116q-14-2-24-8z', 'fill="#fff9"') +
  path('M138 232q6 62 36 88q-40-18-44-90z', 'fill="#fff8"') +
  wheel() +
  path(EMBLEM, 'fill="none" stroke="#a9803c" stroke-width="2.5"')

const SHADOW_LAYERS = [1, 1.02, 1.04, 1.06, 1.08, 1.1, 1.12, 1.14, 1.16, 1.18, 1.2]

function shadowLayer(scale: number): string {
  const [x, y] = [216 - 200 * scale, 226 - 200 * scale].map(Math.round)
  return `<use href="#mouse-outline" transform="matrix(${scale} 0 0 ${scale} ${x} ${y})"/>`
}

/** A soft shadow without a filter: the outline in growing, faint layers. */
const shadow = (): string =>
  `<defs>${path(SHELL, 'id="mouse-outline"')}</defs>` +
  `<g fill="#1a1410" fill-opacity=".05">${SHADOW_LAYERS.map(shadowLayer).join('')}</g>`

export const drawMouse = (): string =>
  svg(400, 400, `${PAINTS}<g transform="rotate(20 200 200)">${shadow()}${body()}</g>`)
