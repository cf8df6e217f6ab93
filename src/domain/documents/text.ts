/** Normalizes text of documents, for display on one line, searching and comparing. Does not escape HTML; the renderer does. */

/** Max length of a cleaned text, in code points. */
export const MAX_TEXT = 500

// C0 and C1 controls, bidirectional marks, the byte order mark, and letters and symbols that look like a blank.
const BLANK = /[\p{Cc}\u061C\u115F\u1160\u200E\u200F\u202A-\u202E\u2066-\u2069\u2800\u3164\uFEFF\uFFA0]+/gu

// Invisible format characters, except for joiners between emoji.
const UNSEEN = /(?=\p{DI})(?!\u200D)\p{Cf}|(?<![\p{ExtPict}\p{EMod}\uFE0F])\u200D|\u200D(?!\p{ExtPict})/gu

const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u

// Fast path for most names: one line of printable ASCII and Latin-1 characters, which are in NFC.
const CLEAN = /^[!-~À-ÿ]+(?: [!-~À-ÿ]+)*$/

/**
 * Returns one line of well-formed NFC text of at most 500 code points, without control characters, bidirectional marks
 * and invisible format characters, except for joiners between emoji. Returns empty text if nothing visible remains.
 */
export function cleanText(raw: string): string {
  if (raw.length <= MAX_TEXT && CLEAN.test(raw)) return raw
  const line = raw
    .trimStart()
    .slice(0, MAX_TEXT * 4)
    .toWellFormed()
    .replace(BLANK, ' ')
    .replace(UNSEEN, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .normalize('NFC')
  if (!SEEN.test(line)) return ''
  const points = [...line]
  return points.length <= MAX_TEXT ? line : `${points.slice(0, MAX_TEXT - 1).join('')}…`
}

/**
 * Returns lower case without accents and invisible characters, for searching: `Ámbar Ñ` gives `ambar n`. Replaces the
 * apostrophes of iPhones (`’`) and of Spanish keyboards (`´`) with `'`.
 */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFD')
      .replace(/[\p{Mn}\p{DI}]+/gu, '')
      // Escaped, because this code is part of pages, and one character beyond Latin-1 doubles the memory of a page.
      .replace(/[\u2019\u00b4]/gu, "'")
      .toLowerCase()
  )
}

/** Returns whether one letter is wrong, missing or added, or two neighbouring letters are swapped. */
export function isOneLetterApart(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  if (Math.min(one.length, other.length) > start + 2 && one.at(-1) !== other.at(-1)) return false
  const [a, b] = [one.slice(start), other.slice(start)]
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}
