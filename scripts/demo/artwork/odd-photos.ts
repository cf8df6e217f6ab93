/** Product photos as sellers also have them: square, very wide, and on a white ground. */
import type { Bottle } from './bottle.ts'
import { BOTTLES } from './bottles.ts'
import type { Palette } from './palettes.ts'
import { PALETTES } from './palettes.ts'
import { drawBottle, paints } from './photo.ts'
import { glow, path, svg } from './svg.ts'

interface OddPhoto {
  /** The first part of its file name. */
  readonly kind: string
  readonly bottle: string
  readonly palette: string
  readonly width: number
  readonly height: number
  /** Horizontal middle of each bottle. */
  readonly places: readonly number[]
  readonly isWhite: boolean
}

const WHITE = { kind: 'white', width: 400, height: 500, places: [200], isWhite: true }

const ODD_PHOTOS: readonly OddPhoto[] = [
  {
    kind: 'square',
    bottle: 'amphora',
    palette: 'ruby',
    width: 400,
    height: 400,
    places: [200],
    isWhite: false,
  },
  {
    kind: 'wide',
    bottle: 'amphora',
    palette: 'amber',
    width: 1200,
    height: 400,
    places: [180, 600, 1020],
    isWhite: false,
  },
  { ...WHITE, bottle: 'cube', palette: 'silver' },
  { ...WHITE, bottle: 'ribbed', palette: 'noir' },
]

/** Returns SVG by file name. */
export function drawOddPhotos(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ODD_PHOTOS.map((photo) => [`${photo.kind}-${photo.bottle}-${photo.palette}.svg`, drawOddPhoto(photo)]),
  )
}

function drawOddPhoto(photo: OddPhoto): string {
  const bottle = BOTTLES.find(({ name }) => name === photo.bottle)
  const palette = PALETTES.find(({ name }) => name === photo.palette)
  if (bottle === undefined || palette === undefined) throw new Error(`no ${photo.palette} ${photo.bottle}`)
  const { width, height, places, isWhite } = photo
  const id = photo.kind[0] + bottle.code + palette.code
  const ground = path(`M0 0h${width}v${height}H0z`, `fill="${isWhite ? '#fff' : `url(#${id}w)`}"`)
  const [first = 0, ...others] = places
  const content = [
    paints(id, palette),
    ground,
    `<g id="${id}b" transform="translate(${first - (200 * height) / 500} 0)scale(${height / 500})">`,
    drawStanding(id, bottle, palette),
    '</g>',
    ...others.map((place) => `<use href="#${id}b" x="${place - first}"/>`),
  ]
  return svg(width, height, content.join(''))
}

function drawStanding(id: string, bottle: Bottle, palette: Palette): string {
  return glow(200, 420, bottle.foot * 1.5, 13, `${id}s`) + drawBottle(id, bottle, palette)
}
