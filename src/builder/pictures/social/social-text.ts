/** Text as outlines of the bundled font, so that every machine draws the same. Letters that it lacks are left out. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Font, PathCommand } from 'opentype.js'

export type FontWeight = 400 | 700

export interface TextLine {
  readonly text: string
  readonly size: number
  readonly weight: FontWeight
}

/** More letters than any line of a picture fits. */
const MOST_IN_LINE = 60

const require = createRequire(import.meta.url)
// `require`, because Node does not resolve the package's ESM entry.
const { parse } = require('opentype.js') as typeof import('opentype.js')
const fonts = new Map<FontWeight, Font>()

/** Returns SVG path data. `x` and `y` are the start of the baseline. */
export function formatOutline({ text, size, weight }: TextLine, x: number, y: number): string {
  return openFont(weight).getPath(text, x, y, size).commands.map(formatCommand).join('')
}

// The library's own format leaves out spaces that SVG renderers need.
function formatCommand({ type, ...points }: PathCommand): string {
  const { x1, y1, x2, y2, x, y }: Partial<Record<'x1' | 'y1' | 'x2' | 'y2' | 'x' | 'y', number>> = points
  const numbers = [x1, y1, x2, y2, x, y].filter((number) => number !== undefined)
  return type + numbers.map((number) => number.toFixed(1)).join(' ')
}

export function measureText({ text, size, weight }: TextLine): number {
  return openFont(weight).getAdvanceWidth(text, size)
}

/** Removes letters that the font lacks. */
export function cleanLetters(text: string, weight: FontWeight): string {
  const font = openFont(weight)
  const drawn = [...text.normalize('NFC')].filter(
    (letter) => /\s/.test(letter) || font.charToGlyphIndex(letter) > 0,
  )
  return drawn.join('').replace(/\s+/g, ' ').trim()
}

/** Returns lines in the largest of `sizes` that needs at most `lines` lines; in the smallest, cut text. */
export function fitText(
  text: string,
  {
    sizes,
    width,
    lines,
    weight,
  }: { sizes: readonly number[]; width: number; lines: number; weight: FontWeight },
): readonly TextLine[] {
  for (const size of sizes) {
    const wrapped = wrapText(text, (part) => measureText({ text: part, size, weight }) <= width)
    if (wrapped !== null && wrapped.length <= lines)
      return wrapped.map((part) => ({ text: part, size, weight }))
  }
  const size = sizes.at(-1) ?? 1
  return cutText(text, { size, width, lines, weight })
}

// Returns `null` if a word is wider than a line.
function wrapText(text: string, fits: (part: string) => boolean): readonly string[] | null {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (!fits(word)) return null
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

function cutText(
  text: string,
  { size, width, lines, weight }: { size: number; width: number; lines: number; weight: FontWeight },
): readonly TextLine[] {
  const cut: TextLine[] = []
  let rest = [...text].slice(0, lines * MOST_IN_LINE)
  while (rest.length > 0 && cut.length < lines) {
    const isLast = cut.length === lines - 1
    let count = Math.min(rest.length, MOST_IN_LINE)
    const read = (): string =>
      rest.slice(0, count).join('').trim() + (isLast && count < rest.length ? '…' : '')
    while (count > 1 && measureText({ text: read(), size, weight }) > width) count -= 1
    cut.push({ text: read(), size, weight })
    rest = rest.slice(count)
  }
  return cut
}

function openFont(weight: FontWeight): Font {
  const known = fonts.get(weight)
  if (known !== undefined) return known
  const file = require.resolve(`@fontsource/figtree/files/figtree-latin-${weight}-normal.woff`)
  const font = parse(Uint8Array.from(readFileSync(file)).buffer)
  fonts.set(weight, font)
  return font
}
