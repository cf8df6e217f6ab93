/** Draws a picture for shared links, of a seller or of the home page. */
import { join } from 'node:path'
import type { CreateText, OverlayOptions } from 'sharp'
import sharp from 'sharp'
import { ROOT } from '../files/project-folder.ts'
import type { SocialInputs } from './social-inputs.ts'

/**
 * The size that large social networks recommend. Source: https://developers.facebook.com/docs/sharing/webmasters/images
 */
const SIZE = { width: 1200, height: 630 }

const COLOURS = {
  awning: '#5e0f29',
  stripe: '#701635',
  gold: '#d9ab62',
  cream: '#fbf1e4',
  soft: '#e3c3bd',
  shelf: '#f0e7dc',
}
const CENTRE = SIZE.width / 2

/** All text is within the middle square, with a margin, because chats crop the picture to that square. */
const TEXT_WIDTH = SIZE.height - 2 * 30

// Two tiles of a row of four are whole within the middle square.
const TILE = { top: 322, width: 270, height: 284, radius: 20 }
const GAP = 30

/** Space of the name, and the middle of the line below it. */
const ABOVE_PHOTOS = { top: 66, height: 164, below: 281 }
const ALONE = { top: 120, height: 320, below: 500 }

// Committed, so that the result is the same on all machines. With files of another kind than `.ttf`, sharp would draw in
// a font of the machine.
const FONTS = ['figtree-400', 'figtree-700', 'tajawal-400', 'tajawal-700'].map((name) =>
  join(ROOT, `src/builder/pictures/fonts/${name}.ttf`),
)

/** Letters that the fonts lack. They have those of ASCII, of the languages of Europe with Latin letters, and of Arabic. */
const LACKING = /[^ -~¡-¬®-ēĖ-ħĪīĮ-ķĹ-ľŁ-ňŌōŐ-šŤťŪ-žȘ-ț–—‘-‚“-„†‡•…‰‹›€™،؛؟ء-غف-ٕ٠-٪پڤ]/gu

/** More letters than fit on a picture. */
const MOST_LETTERS = 120

/** Replaces ornamental letters with plain ones, and removes letters that the fonts lack. */
export function cleanLetters(text: string): string {
  const drawn = text.normalize('NFKC').replace(/\s+/g, ' ').replace(LACKING, '').replace(/ +/g, ' ').trim()
  return drawn.length > MOST_LETTERS ? `${drawn.slice(0, MOST_LETTERS).trim()}…` : drawn
}

/** `readFile` returns the bytes of a photo. One that cannot be read or drawn leaves its tile empty. */
export async function drawSocial(
  inputs: SocialInputs,
  readFile: (path: string) => Uint8Array | null,
): Promise<Uint8Array> {
  const photos = inputs.photos.map((path) => {
    const type = path.endsWith('.jpg') ? 'image/jpeg' : 'image/svg+xml'
    return `data:${type};base64,${Buffer.from(readFile(path) ?? []).toString('base64')}`
  })
  return sharp(Buffer.from(drawAwning(photos)))
    .composite(await drawTexts(inputs))
    .removeAlpha()
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer()
}

let loaded: Promise<unknown> | null = null

/** If no letter of the name can be drawn, the address replaces the name. */
async function drawTexts({ brand, name, address, line, photos }: SocialInputs): Promise<OverlayOptions[]> {
  // A font that one text was drawn with stays known to all later texts.
  await (loaded ??= Promise.all(FONTS.map((fontfile) => renderText('a', { fontfile }))))
  const { top, height, below } = photos.length === 0 ? ALONE : ABOVE_PHOTOS
  const title = formatSpan(cleanLetters(name) || cleanLetters(address), COLOURS.cream, 700)
  const spans = [formatSpan(cleanLetters(brand), COLOURS.gold, 700), formatSpan(line, COLOURS.soft, 400)]
  const lower = spans.filter((span) => span !== '').join(formatSpan('   ', COLOURS.soft, 400))
  return [
    await drawText(title, { size: 92, height, middle: top + height / 2 }),
    await drawText(lower, { size: 30, height: 40, middle: below }),
  ]
}

/** Sizes in pixels. */
interface TextSpace {
  readonly size: number
  readonly height: number
  readonly middle: number
}

/** Draws the text as large as fits, but no larger than `size`. */
async function drawText(text: string, { size, height, middle }: TextSpace): Promise<OverlayOptions> {
  const largest = await renderText(text, { width: TEXT_WIDTH, dpi: size })
  const isFitting = largest.info.height <= height && largest.info.width <= TEXT_WIDTH
  const { data, info } = isFitting ? largest : await renderText(text, { width: TEXT_WIDTH, height })
  return {
    input: data,
    left: Math.round(CENTRE - info.width / 2),
    top: Math.round(middle - info.height / 2),
  }
}

function renderText(text: string, options: Omit<CreateText, 'text'>) {
  const style = { font: 'Figtree, Tajawal', rgba: true, align: 'centre', wrap: 'word-char' } as const
  return sharp({ text: { text, ...style, ...options } })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true })
}

/** A letter of 72 points has as many pixels as there are dots per inch. */
function formatSpan(text: string, colour: string, weight: 400 | 700): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const style = `foreground="${colour}" font_weight="${weight}" font_size="72pt" insert_hyphens="no"`
  return text === '' ? '' : `<span ${style}>${escaped}</span>`
}

/** Returns a striped awning along the upper edge, whose stripes end in a round, and a row of photos. */
function drawAwning(photos: readonly string[]): string {
  const { width, height } = SIZE
  const stripe = 60
  const stripes = Array.from({ length: width / stripe }, (_, index) => {
    const fill = index % 2 === 0 ? COLOURS.cream : COLOURS.stripe
    return `<path d="M${index * stripe} 0h${stripe}v22a${stripe / 2} 22 0 0 1-${stripe} 0z" fill="${fill}"/>`
  })
  const first = CENTRE - (photos.length * (TILE.width + GAP) - GAP) / 2
  const tiles = photos.map((photo, index) => {
    const place = `x="${first + index * (TILE.width + GAP)}" y="${TILE.top}" width="${TILE.width}" height="${TILE.height}"`
    return [
      `<clipPath id="tile${index}"><rect ${place} rx="${TILE.radius}"/></clipPath>`,
      `<g clip-path="url(#tile${index})"><rect ${place} fill="${COLOURS.shelf}"/>`,
      `<image ${place} preserveAspectRatio="xMidYMid slice" href="${photo}"/></g>`,
    ].join('')
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" fill="${COLOURS.awning}"/>`,
    ...stripes,
    ...tiles,
    '</svg>',
  ].join('')
}
