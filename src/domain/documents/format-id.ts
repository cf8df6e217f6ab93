/** Formats ids of documents for messages. */

/** Max code points of an id in messages. No id with a page is longer. */
const LONGEST = 256

/** Max code points of an id in output for programs. No id of Firestore is longer. */
export const LONGEST_WHOLE = 1_500

// Ids that are printed without quotes.
const PLAIN = /^[\p{L}\p{N}_-]+$/u

/** Shortens an id to at most `longest` code points; `…` marks the cut. */
export function cutId(id: string, longest: number): string {
  // Bounds the work for a long id: a code point has at most two code units.
  const points = Array.from(id.slice(0, 2 * (longest + 1)))
  return points.length <= longest ? id : `${points.slice(0, longest - 1).join('')}…`
}

/**
 * Shortens an id. To show where it ends, adds quotes, unless it consists of letters, digits, `_` and `-`. Does not
 * remove all control characters: the caller must clean the whole line.
 */
export function formatId(id: string): string {
  const text = cutId(id, LONGEST)
  return PLAIN.test(id.slice(0, LONGEST)) ? text : JSON.stringify(text)
}
