/** Finds lines in a section of a search file. */
import { parseTail } from './search-file.ts'

interface Candidate {
  readonly start: number
  /** The start of the next line. */
  readonly end: number
  readonly words: string
  readonly readTail: () => string
}

/**
 * Returns a function that returns the first line from `at` on that contains one of the needles of each word; `null` if
 * there is none.
 */
export function openCursor(
  text: string,
  [needles = [], ...others]: readonly (readonly string[])[],
  from: number,
): (at: number) => Candidate | null {
  const next = needles.map((needle) => text.indexOf(needle, from))
  const findNext = (at: number): number => {
    let first = -1
    for (let index = 0; index < next.length; index += 1) {
      let place = next[index] ?? -1
      if (place !== -1 && place < at) next[index] = place = text.indexOf(needles[index] ?? '', at)
      if (place !== -1 && (first === -1 || place < first)) first = place
    }
    return first
  }
  return (begin) => {
    for (let at = begin; ;) {
      const place = findNext(at)
      if (place === -1) return null
      const start = text.lastIndexOf('\n', place) + 1
      const tab = text.indexOf('\t', start)
      const line = text.indexOf('\n', tab)
      const words = text.slice(start, tab)
      if (others.every((list) => list.some((needle) => words.includes(needle))))
        return { start, end: line + 1, words, readTail: () => text.slice(tab + 1, line) }
      at = line + 1
    }
  }
}

/** Returns the start of the first line with a greater key; the length of the text if there is none. */
export function findPlace(text: string, key: number): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const start = text.lastIndexOf('\n', ((low + high) >> 1) - 1) + 1
    const tab = text.indexOf('\t', start)
    const end = text.indexOf('\n', tab)
    if (parseTail(text.slice(tab + 1, end)).key > key) high = start
    else low = end + 1
  }
  return low
}
