/** The layout of a picture for shared links, and its SVG without the photos. */
import type { SocialInputs } from './social-inputs.ts'
import type { TextLine } from './social-fonts.ts'
import { cleanLetters, formatOutline, measureText } from './social-fonts.ts'
import { fitText, LINE_HEIGHT } from './social-text.ts'

/**
 * The size that large social networks recommend. Source: https://developers.facebook.com/docs/sharing/webmasters/images
 */
export const SOCIAL_SIZE = { width: 1200, height: 630 } as const

/** All text is within the middle square, with a margin, because chats crop the picture to that square. */
const TEXT_WIDTH = SOCIAL_SIZE.height - 2 * 30

export interface Tile {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const COLOURS = { awning: '#5e0f29', stripe: '#701635', gold: '#d9ab62', cream: '#fbf1e4', soft: '#e3c3bd' }
const CENTRE = SOCIAL_SIZE.width / 2
// Sized so that two tiles of a row of four are whole within the middle square, because chats crop the picture to that
// square.
const TILE = { top: 322, width: 270, height: 284 }
const GAP = 30

/** Upper edge and height of the space for the name, and the baseline of the text below the name. */
interface TextPlace {
  readonly top: number
  readonly height: number
  readonly below: number
}

const ABOVE_PHOTOS: TextPlace = { top: 62, height: 188, below: 290 }
const ALONE: TextPlace = { top: 120, height: 320, below: 510 }

/** Returns the tiles for `count` photos, at most 4, in one row under the text. */
export function layTiles(count: number): readonly Tile[] {
  const left = CENTRE - (count * TILE.width + (count - 1) * GAP) / 2
  return Array.from({ length: count }, (_, index) => ({ ...TILE, left: left + index * (TILE.width + GAP) }))
}

/** Returns the SVG without photos. Text is drawn as outlines, because text elements would use the machine's fonts. */
export function drawBase(inputs: SocialInputs): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SOCIAL_SIZE.width}" height="${SOCIAL_SIZE.height}">`,
    `<rect width="100%" height="100%" fill="${COLOURS.awning}"/>`,
    drawAwning(),
    ...layText(inputs).map(drawText),
    '</svg>',
  ].join('')
}

interface PlacedText extends TextLine {
  /** `x` and `y` are the start of the baseline. */
  readonly x: number
  readonly y: number
  readonly fill: string
}

/**
 * Returns the lines of text with their places. If no letter of the name can be drawn, the address replaces the name.
 */
export function layText({ brand, name, address, line, photos }: SocialInputs): readonly PlacedText[] {
  const place = photos.length === 0 ? ALONE : ABOVE_PHOTOS
  const shown = cleanLetters(name, 700) || cleanLetters(address, 700)
  return [...layName(shown, place), ...layBelow(cleanLetters(brand, 700), line, place)]
}

function layName(name: string, { top, height }: TextPlace): readonly PlacedText[] {
  const sizes = [92, 80, 70, 60, 52, 46, 40]
  const lines = fitText(name, { sizes, width: TEXT_WIDTH, height, weight: 700 })
  const rise = (lines.length * (lines[0]?.size ?? 0) * LINE_HEIGHT) / 2
  return lines.map((line, index) => ({
    ...line,
    x: CENTRE - measureText(line) / 2,
    y: top + height / 2 - rise + (index + 0.8) * line.size * LINE_HEIGHT,
    fill: COLOURS.cream,
  }))
}

// Places `brand` and `line` side by side below the name, with a gap between them.
function layBelow(brand: string, line: string, { below: y }: TextPlace): readonly PlacedText[] {
  const shown: TextLine = { text: cleanLetters(line, 400), size: 30, weight: 400 }
  const left = TEXT_WIDTH - measureText(shown) - GAP
  const [mark] = fitText(brand, { sizes: [30, 26, 22], width: left, height: 40, weight: 700 })
  const before = mark === undefined ? 0 : measureText(mark) + GAP
  const x = CENTRE - (before + measureText(shown)) / 2
  return [
    ...(mark === undefined ? [] : [{ ...mark, x, y, fill: COLOURS.gold }]),
    { ...shown, x: x + before, y, fill: COLOURS.soft },
  ]
}

function drawText(text: PlacedText): string {
  return `<path d="${formatOutline(text, text.x, text.y)}" fill="${text.fill}"/>`
}

// Draws a striped awning along the upper edge. The lower end of each stripe is rounded.
function drawAwning(): string {
  const width = 60
  return Array.from({ length: SOCIAL_SIZE.width / width }, (_, index) => {
    const x = index * width
    const fill = index % 2 === 0 ? COLOURS.cream : COLOURS.stripe
    return `<path d="M${x} 0h${width}v22a${width / 2} 22 0 0 1-${width} 0z" fill="${fill}"/>`
  }).join('')
}
