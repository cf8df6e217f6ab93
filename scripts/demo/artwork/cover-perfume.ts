/** Home cover: three perfumes side by side, filling the frame. */
import type { Bottle } from './bottle.ts'
import { BOTTLES } from './bottles.ts'
import type { Palette } from './palettes.ts'
import { PALETTES } from './palettes.ts'
import { drawBottle, paints } from './photo.ts'
import { DOWN, glow, linear, path, radial, svg } from './svg.ts'

type Placed = { bottle: string; palette: string; x: number; y: number; scale: number }

const GROUP: readonly Placed[] = [
  { bottle: 'tower', palette: 'rose', x: 98, y: 404, scale: 0.98 },
  { bottle: 'amphora', palette: 'violet', x: 300, y: 408, scale: 0.84 },
  { bottle: 'disc', palette: 'amber', x: 202, y: 450, scale: 0.88 },
]

const PAINTS = [
  linear('perfume-wall', '#c9926f, #fbe9d6 .7, #c58e69 .77, #f6dfc8 1', DOWN),
  radial('perfume-light', '#fffc, #fff0 1'),
  radial('perfume-shadow', '#5a2a10c0, #5a2a1000 1'),
].join('')

const byName = <T extends { name: string }>(items: readonly T[], name: string): T => {
  const found = items.find((item) => item.name === name)
  if (!found) throw new Error(`No artwork named ${name}`)
  return found
}

function place({ bottle, palette, x, y, scale }: Placed): string {
  const shape: Bottle = byName(BOTTLES, bottle)
  const colors: Palette = byName(PALETTES, palette)
  const id = `perfume-${bottle}-`
  const move = `matrix(${scale} 0 0 ${scale} ${Math.round(x - 200 * scale)} ${Math.round(y - 420 * scale)})`
  return (
    paints(id, colors) +
    glow(x + 12, y, shape.foot * 1.6, 14, 'perfume-shadow') +
    `<g transform="${move}">${drawBottle(id, shape, colors)}</g>`
  )
}

export const drawPerfume = (): string =>
  svg(
    400,
    500,
    [
      PAINTS,
      path('M0 0h400v500H0z', 'fill="url(#perfume-wall)"'),
      path('M30 388v-178a170 170 0 0 1 340 0v178z', 'fill="#fdf0e2" fill-opacity=".6"'),
      glow(200, 230, 200, 240, 'perfume-light'),
      path('M0 150L210 0h90L0 240z', 'fill="#fff2"'),
      ...GROUP.map(place),
    ].join(''),
  )
