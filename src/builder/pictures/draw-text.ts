/**
 * Draws text in the committed fonts, so that the result is the same on all machines. sharp takes only `.ttf` files:
 * given another kind, it would draw in a font of the machine.
 */
import { join } from 'node:path'
import sharp from 'sharp'
import { ROOT } from '../files/project-folder.ts'

export interface TextSpan {
  readonly text: string
  readonly colour: string
  readonly weight: 400 | 700
}

/** Sizes in pixels. The text is drawn as large as fits, but no larger than `size`. */
export interface TextSpace {
  readonly size: number
  readonly width: number
  readonly height: number
}

export interface DrawnText {
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
}

const FONTS = ['figtree-400', 'figtree-700', 'tajawal-400', 'tajawal-700'].map((name) =>
  join(ROOT, `src/builder/pictures/fonts/${name}.ttf`),
)

/** Letters that the fonts lack. They have those of ASCII, of the languages of Europe with Latin letters, and of Arabic. */
const LACKING = /[^ -~¡-¬®-ēĖ-ħĪīĮ-ķĹ-ľŁ-ňŌōŐ-šŤťŪ-žȘ-ț–—‘-‚“-„†‡•…‰‹›€™،؛؟ء-غف-ٕ٠-٪پڤ]/gu

/** More letters than fit on a picture. */
const MOST_LETTERS = 120

/** Replaces ornamental letters with plain ones, and removes letters that the fonts lack. */
export function cleanLetters(text: string): string {
  const drawn = text.normalize('NFKC').replace(/\s+/g, ' ').replace(LACKING, '')
  const letters = [...drawn.replace(/ +/g, ' ').trim()]
  return letters.length <= MOST_LETTERS
    ? letters.join('')
    : `${letters.slice(0, MOST_LETTERS).join('').trim()}…`
}

let loaded: Promise<unknown> | null = null

export async function drawText(spans: readonly TextSpan[], space: TextSpace): Promise<DrawnText> {
  // A font that one text was drawn with stays known to all later texts.
  await (loaded ??= Promise.all(
    FONTS.map((fontfile) =>
      sharp({ text: { text: 'a', fontfile } })
        .png()
        .toBuffer(),
    ),
  ))
  const text = spans
    .filter((span) => span.text !== '')
    .map(formatSpan)
    .join(SPACE)
  const { width, height, size } = space
  const largest = await draw(text, { width, dpi: size })
  return largest.height <= height && largest.width <= width ? largest : draw(text, { width, height })
}

async function draw(
  text: string,
  size: { readonly width: number } & ({ readonly height: number } | { readonly dpi: number }),
): Promise<DrawnText> {
  const { data, info } = await sharp({
    text: { text, font: 'Figtree, Tajawal', rgba: true, align: 'centre', wrap: 'word-char', ...size },
  })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true })
  return { png: data, width: info.width, height: info.height }
}

const SPACE = formatSpan({ text: '   ', colour: '#000', weight: 400 })

/** A letter of 72 points has as many pixels as there are dots per inch. */
function formatSpan({ text, colour, weight }: TextSpan): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const style = `foreground="${colour}" font_weight="${weight}" font_size="72pt" insert_hyphens="no"`
  return `<span ${style}>${escaped}</span>`
}
