/** Prints ids of documents for people. */

/** In code points. No id with a page is longer. */
const LONGEST = 256

/** The limit in output for programs: no id of Firestore is longer. */
export const LONGEST_WHOLE = 1_500

// Generated ids, and those that people choose.
const PLAIN = /^[\p{L}\p{N}_-]+$/u

/** Cuts the end of an id that has more than `longest` code points. */
export function cutId(id: string, longest: number): string {
  // A code point has at most two units.
  const points = Array.from(id.slice(0, 2 * (longest + 1)))
  return points.length <= longest ? id : `${points.slice(0, longest - 1).join('')}…`
}

/** Adds quotes if the id has other characters than letters and digits, to show where it ends. The caller cleans the line. */
export function formatId(id: string): string {
  const text = cutId(id, LONGEST)
  return PLAIN.test(id.slice(0, LONGEST)) ? text : JSON.stringify(text)
}
