/**
 * Draws text in the committed fonts, so that the result is the same on all machines. sharp takes only `.ttf` files:
 * given another kind, it would draw in a font of the machine.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { ROOT } from '../files/project-folder.ts'
import { listLetters } from './font-letters.ts'

export interface TextSpan {
  readonly text: string
  readonly colour: string
  readonly weight: 400 | 700
}

interface TextSpace {
  /** Sizes to try in pixels, the largest first. */
  readonly sizes: readonly number[]
  readonly width: number
  readonly height: number
}

export interface DrawnText {
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
}

interface TextStyle {
  readonly size: number
  readonly width: number
  readonly wrap: 'word' | 'word-char'
}

const FONTS = ['figtree-400', 'figtree-700', 'tajawal-400', 'tajawal-700'].map((name) =>
  join(ROOT, `src/builder/pictures/fonts/${name}.ttf`),
)

/** More letters than fit on a picture. */
const MOST_LETTERS = 300

let loaded: Promise<ReadonlySet<number>> | null = null

/** Replaces ornamental letters with plain ones, and removes letters that the fonts lack. */
export async function cleanLetters(text: string): Promise<string> {
  const known = await (loaded ??= loadFonts())
  const isDrawn = (letter: string): boolean =>
    /\s/.test(letter) || (!/\p{C}/u.test(letter) && known.has(letter.codePointAt(0) ?? 0))
  const drawn = [...text.normalize('NFKC')].filter(isDrawn).join('')
  return [...drawn.replace(/\s+/g, ' ').trim()].slice(0, MOST_LETTERS).join('')
}

/**
 * Draws a text in the largest size in which it fits, in lines of similar width. If it fits in none, it is cut, and ends
 * with an ellipsis. `format` returns the spans of the text, or of a shorter one; not all of them may be empty.
 */
export async function fitText(
  text: string,
  { sizes, width, height }: TextSpace,
  format: (text: string) => readonly TextSpan[],
): Promise<DrawnText> {
  const fits = (drawn: DrawnText): boolean => drawn.width <= width && drawn.height <= height
  for (const size of sizes) {
    const draw = (share: number): Promise<DrawnText> =>
      drawText(format(text), { size, width: Math.round(width * share), wrap: 'word' })
    const drawn = await draw(1)
    if (fits(drawn)) return balanceLines(drawn, draw)
  }
  const style: TextStyle = { size: sizes.at(-1) ?? 1, width, wrap: 'word-char' }
  let drawn = await drawText(format(text), style)
  for (let left = [...text]; !fits(drawn) && left.length > 1;) {
    left = left.slice(0, -Math.ceil(left.length / 20))
    drawn = await drawText(format(`${left.join('').trimEnd()}…`), style)
  }
  return drawn
}

/** Returns the text in the narrowest lines that need no more height. */
async function balanceLines(
  widest: DrawnText,
  draw: (share: number) => Promise<DrawnText>,
): Promise<DrawnText> {
  for (const share of [0.6, 0.7, 0.8, 0.9]) {
    const drawn = await draw(share)
    // The height differs by a few pixels with the letters that reach above and below their line.
    if (drawn.height < widest.height * 1.2 && drawn.width <= widest.width) return drawn
  }
  return widest
}

async function drawText(spans: readonly TextSpan[], { size, width, wrap }: TextStyle): Promise<DrawnText> {
  const text = spans.filter((span) => span.text !== '').map((span) => formatSpan(span, size))
  const { data, info } = await sharp({
    text: {
      text: text.join('<span>    </span>'),
      font: 'Figtree, Tajawal',
      // Points are pixels at this density.
      dpi: 72,
      rgba: true,
      align: 'centre',
      width,
      wrap,
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true })
  return { png: data, width: info.width, height: info.height }
}

function formatSpan({ text, colour, weight }: TextSpan, size: number): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const style = `foreground="${colour}" font_weight="${weight}" font_size="${size}pt" insert_hyphens="no"`
  return `<span ${style}>${escaped}</span>`
}

/** A font that one text was drawn with stays known to all later texts. Returns the letters of all fonts. */
async function loadFonts(): Promise<ReadonlySet<number>> {
  for (const fontfile of FONTS)
    await sharp({ text: { text: 'a', fontfile } })
      .png()
      .toBuffer()
  return new Set(FONTS.flatMap((file) => listLetters(readFileSync(file))))
}
