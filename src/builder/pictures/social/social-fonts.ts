/**
 * Draws text as outlines of bundled fonts, so that the result is the same on all machines. Omits letters that the fonts
 * lack.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Font, PathCommand } from 'opentype.js'

export type FontWeight = 400 | 700

export interface TextLine {
  readonly text: string
  readonly size: number
  readonly weight: FontWeight
}

/** A letter is drawn with the first of these fonts that has it. */
const FONTS = [
  'figtree/files/figtree-latin',
  'figtree/files/figtree-latin-ext',
  'tajawal/files/tajawal-arabic',
]

const ARABIC = /\p{Script=Arabic}/u
/** Matches a text whose first letter is Arabic. The parts of this text are placed from right to left. */
const BEGINS_ARABIC = /^\P{L}*\p{Script=Arabic}/u
/** Combining marks that NFKC has not joined with a letter. They are removed, because opentype.js throws for some. */
const MARKS = /\p{M}+/gu

const require = createRequire(import.meta.url)
// `require`, because Node does not resolve the package's ESM entry.
const { parse } = require('opentype.js') as typeof import('opentype.js')
const opened = new Map<FontWeight, readonly Font[]>()

/** Replaces ornamental letters with plain ones, and removes combining marks and letters that the fonts lack. */
export function cleanLetters(text: string, weight: FontWeight): string {
  const plain = text.normalize('NFKC').replace(MARKS, '')
  const drawn = [...plain].filter((letter) => /\s/.test(letter) || findFont(letter, weight) !== undefined)
  return drawn.join('').replace(/\s+/g, ' ').trim()
}

/** Returns SVG path data. `x` and `y` are the start of the baseline. */
export function formatOutline({ text, size, weight }: TextLine, x: number, y: number): string {
  let left = x
  return divideRuns(text, weight)
    .map((run) => {
      const path = run.font.getPath(run.text, left, y, size).commands.map(formatCommand).join('')
      left += run.font.getAdvanceWidth(run.text, size)
      return path
    })
    .join('')
}

export function measureText({ text, size, weight }: TextLine): number {
  return divideRuns(text, weight).reduce((sum, run) => sum + run.font.getAdvanceWidth(run.text, size), 0)
}

// Needed because the path format of opentype.js omits spaces that SVG renderers require.
function formatCommand({ type, ...points }: PathCommand): string {
  const { x1, y1, x2, y2, x, y }: Partial<Record<'x1' | 'y1' | 'x2' | 'y2' | 'x' | 'y', number>> = points
  const numbers = [x1, y1, x2, y2, x, y].filter((number) => number !== undefined)
  return type + numbers.map((number) => number.toFixed(1)).join(' ')
}

/**
 * Consecutive letters of one font and one direction. opentype.js itself orders the letters of an Arabic run from right
 * to left, so this code orders only the runs.
 */
interface Run {
  readonly font: Font
  text: string
}

/** Returns the runs of a text in visual order, from left to right. */
function divideRuns(text: string, weight: FontWeight): readonly Run[] {
  const parts: Run[][] = []
  for (const letter of text) {
    const part = parts.at(-1)
    const last = part?.at(-1)
    const font = letter === ' ' && last !== undefined ? last.font : findFont(letter, weight)
    if (font === undefined) continue
    if (font === last?.font) last.text += letter
    else if (last !== undefined && ARABIC.test(last.text) === ARABIC.test(letter))
      part?.push({ font, text: letter })
    else parts.push(...takeSpace(last), [{ font, text: letter }])
  }
  return (BEGINS_ARABIC.test(text) ? parts.toReversed() : parts).flat()
}

/**
 * Removes the trailing space of `run` and returns it as a separate part, because the space belongs between `run` and
 * the next letters, which have the other direction. Returns an empty list if there is no trailing space.
 */
function takeSpace(run: Run | undefined): readonly Run[][] {
  if (run === undefined || !run.text.endsWith(' ')) return []
  run.text = run.text.trimEnd()
  return [[{ font: run.font, text: ' ' }]]
}

function findFont(letter: string, weight: FontWeight): Font | undefined {
  return openFonts(weight).find((font) => font.charToGlyphIndex(letter) > 0)
}

function openFonts(weight: FontWeight): readonly Font[] {
  const known = opened.get(weight)
  if (known !== undefined) return known
  const fonts = FONTS.map((name) => {
    const file = require.resolve(`@fontsource/${name}-${weight}-normal.woff`)
    return parse(Uint8Array.from(readFileSync(file)).buffer)
  })
  opened.set(weight, fonts)
  return fonts
}
