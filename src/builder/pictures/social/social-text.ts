/** Breaks text into lines that fit into a space. */
import type { FontWeight, TextLine } from './social-fonts.ts'
import { measureText } from './social-fonts.ts'

/** Line height as a multiple of the text size. */
export const LINE_HEIGHT = 1.08

/** Max letters that are laid out: more than fit on a picture. */
const MOST_LETTERS = 300

interface TextSpace {
  /** The sizes to try, the largest first. */
  readonly sizes: readonly number[]
  readonly width: number
  readonly height: number
  readonly weight: FontWeight
}

/**
 * Returns lines of whole words in the largest of `sizes` that fits. If none fits, uses the smallest, and breaks words
 * that are wider than a line; a text that is still too long then ends with an ellipsis. Returns no line for an empty
 * text.
 */
export function fitText(text: string, space: TextSpace): readonly TextLine[] {
  if (text === '') return []
  // Drops letters beyond `MOST_LETTERS`: a longer text fits in no size and is cut anyway.
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

/** Returns whether a text fits into `share` of a line's width. */
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

// Wraps the words at the narrowest width that needs at most `count` lines, so that the lines have similar widths.
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
