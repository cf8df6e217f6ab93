/** The studio around a bottle: backdrop, window light, floor and shadow. */
import type { Bottle } from './bottle.ts'
import type { Palette } from './palettes.ts'
import { ellipse, glow, path } from './svg.ts'

const WINDOW_LIGHT = 'M0 150L210 0h90L0 240z'

const niche = (middle: string): string => path('M44 388v-188a156 156 0 0 1 312 0v188z', `fill="${middle}b0"`)

const plinth = (id: string, [, middle, floor]: Palette['wall']): string =>
  glow(200, 494, 190, 20, `${id}s`) +
  path('M40 440v42q0 18 160 18t160-18v-42z', `fill="${floor}"`) +
  ellipse(200, 440, 160, 18, middle)

const mirror = (id: string): string => `<use href="#${id}b" transform="matrix(1 0 0-1 0 872)" opacity=".2"/>`

export function drawScene(id: string, { scene, foot }: Bottle, { wall }: Palette): string {
  return [
    path('M0 0h400v500H0z', `fill="url(#${id}w)"`),
    scene === 'niche' ? niche(wall[1]) : '',
    glow(200, 230, 200, 230, `${id}h`),
    path(WINDOW_LIGHT, 'fill="#fff2"'),
    scene === 'plinth' ? plinth(id, wall) : mirror(id),
    glow(200 + foot / 4, 437, foot * 1.7, 13, `${id}s`),
    glow(200 + foot, 446, foot, 10, `${id}g`),
  ].join('')
}
