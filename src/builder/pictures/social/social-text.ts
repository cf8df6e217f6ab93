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

/** In sizes of the text. */
export const LINE_HEIGHT = 1.08

/** More letters than a picture has space for. */
const MOST_LETTERS = 300

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

export interface TextSpace {
  /** The sizes to try, the largest first. */
  readonly sizes: readonly number[]
  readonly width: number
  readonly height: number
  readonly weight: FontWeight
}

/**
 * Returns lines of whole words in the largest of `sizes` that fits. Only if none does, words are broken, in the least
 * size, and a text that is still too long ends with an ellipsis. Returns no line for an empty text.
 */
export function fitText(text: string, space: TextSpace): readonly TextLine[] {
  if (text === '') return []
  // A longer text fits in no size.
  const words = [...text].slice(0, MOST_LETTERS).join('').split(' ')
  const { sizes, width, height, weight } = space
  for (const size of sizes) {
    const fits: Fits = (part, share = 1) => measureText({ text: part, size, weight }) <= width * share
    if (!words.every((word) => fits(word))) continue
    const { length } = wrapWords(words, fits)
    if (length <= countLines(size, height))
      return balanceLines(words, length, fits).map((line) => ({ text: line, size, weight }))
  }
  return cutText(words, space)
}

/** Whether a text fits into a line, or into a share of it. */
type Fits = (text: string, share?: number) => boolean

function countLines(size: number, height: number): number {
  return Math.max(1, Math.floor(height / (size * LINE_HEIGHT)))
}

function wrapWords(words: readonly string[], fits: Fits, share = 1): readonly string[] {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && fits(longer, share)) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

// Lines of about the same width, not more of them.
function balanceLines(words: readonly string[], count: number, fits: Fits): readonly string[] {
  for (let share = 0.5; share < 1; share += 0.05) {
    const lines = wrapWords(words, fits, share)
    if (lines.length <= count) return lines
  }
  return wrapWords(words, fits)
}

function cutText(words: readonly string[], { sizes, width, height, weight }: TextSpace): readonly TextLine[] {
  const size = sizes.at(-1) ?? 1
  const fits: Fits = (part) => measureText({ text: part, size, weight }) <= width
  const lines = wrapWords(
    words.flatMap((word) => breakWord(word, fits)),
    fits,
  )
  const most = countLines(size, height)
  const shown =
    lines.length <= most
      ? lines
      : [...lines.slice(0, most - 1), addEllipsis([...lines.slice(most - 1).join(' ')], fits)]
  return shown.map((text) => ({ text, size, weight }))
}

function breakWord(word: string, fits: Fits): readonly string[] {
  const parts: string[] = []
  for (const letter of word) {
    const longer = `${parts.at(-1) ?? ''}${letter}`
    if (parts.length > 0 && fits(longer)) parts[parts.length - 1] = longer
    else parts.push(letter)
  }
  return parts
}

function addEllipsis(letters: readonly string[], fits: Fits): string {
  const text = `${letters.join('').trimEnd()}…`
  return letters.length === 0 || fits(text) ? text : addEllipsis(letters.slice(0, -1), fits)
}

function openFont(weight: FontWeight): Font {
  const known = fonts.get(weight)
  if (known !== undefined) return known
  const file = require.resolve(`@fontsource/figtree/files/figtree-latin-${weight}-normal.woff`)
  const font = parse(Uint8Array.from(readFileSync(file)).buffer)
  fonts.set(weight, font)
  return font
}
