/** The layout of a picture for shared links, and its SVG without the photos. */
import type { SocialInputs } from './social-inputs.ts'
import type { TextLine } from './social-text.ts'
import { cleanLetters, fitText, formatOutline, measureText } from './social-text.ts'

/** The size that large networks recommend. Source: https://developers.facebook.com/docs/sharing/webmasters/images */
export const SOCIAL_SIZE = { width: 1200, height: 630 } as const

export interface Tile {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const COLOURS = { awning: '#5e0f29', stripe: '#701635', gold: '#d9ab62', cream: '#fbf1e4', soft: '#e3c3bd' }
const EDGE = 64
const GAP = 20
const PANEL = 560
const LINE_HEIGHT = 1.08

/** Returns the tiles for `count` photos, at most 4, on the right side of the picture. */
export function layTiles(count: number): readonly Tile[] {
  const left = PANEL + 40
  const [width, height] = [SOCIAL_SIZE.width - left - 48, SOCIAL_SIZE.height - 2 * 48]
  const half = { width: (width - GAP) / 2, height: (height - GAP) / 2 }
  const tile = (column: number, row: number, size: { width: number; height: number }): Tile => ({
    left: left + column * (half.width + GAP),
    top: 48 + row * (half.height + GAP),
    ...size,
  })
  const whole = { width, height }
  const tall = { width: half.width, height }
  if (count === 0) return []
  if (count === 1) return [tile(0, 0, whole)]
  if (count === 2) return [tile(0, 0, tall), tile(1, 0, tall)]
  if (count === 3) return [tile(0, 0, tall), tile(1, 0, half), tile(1, 1, half)]
  return [tile(0, 0, half), tile(1, 0, half), tile(0, 1, half), tile(1, 1, half)]
}

/** Returns an SVG that contains shapes only, because text would use the fonts of the machine. */
export function drawBase({ brand, name, count, photos }: SocialInputs): string {
  const width = photos.length === 0 ? SOCIAL_SIZE.width - 2 * EDGE : PANEL - EDGE
  const lines = fitText(cleanLetters(name, 700), {
    sizes: [88, 76, 64, 54, 46],
    width,
    lines: 4,
    weight: 700,
  })
  const size = lines[0]?.size ?? 0
  const top = (lines.length > 3 ? 326 : 340) - (lines.length * size * LINE_HEIGHT) / 2
  const below = top + lines.length * size * LINE_HEIGHT + 28
  const texts = [
    ...lines.map((line, index) => drawLine(line, top + (index + 0.8) * size * LINE_HEIGHT, COLOURS.cream)),
    drawLine({ text: cleanLetters(count, 400), size: 40, weight: 400 }, below + 60, COLOURS.soft),
    ...fitText(cleanLetters(brand, 700), { sizes: [30, 24], width, lines: 1, weight: 700 }).map((line) =>
      drawLine(line, 118, COLOURS.gold),
    ),
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SOCIAL_SIZE.width}" height="${SOCIAL_SIZE.height}">`,
    `<rect width="100%" height="100%" fill="${COLOURS.awning}"/>`,
    drawAwning(),
    `<rect x="${EDGE}" y="${Math.round(below)}" width="72" height="4" fill="${COLOURS.gold}"/>`,
    ...texts,
    '</svg>',
  ].join('')
}

function drawLine(line: TextLine, y: number, fill: string): string {
  return measureText(line) === 0 ? '' : `<path d="${formatOutline(line, EDGE, y)}" fill="${fill}"/>`
}

// A striped awning along the upper edge, with rounded ends.
function drawAwning(): string {
  const width = 60
  return Array.from({ length: SOCIAL_SIZE.width / width }, (_, index) => {
    const x = index * width
    const fill = index % 2 === 0 ? COLOURS.cream : COLOURS.stripe
    return `<path d="M${x} 0h${width}v22a${width / 2} 22 0 0 1-${width} 0z" fill="${fill}"/>`
  }).join('')
}
