/**
 * Scans search files for the lines that match a query. Looks only at lines that contain the rarest word of the query,
 * and ends in each file as soon as no further line can be among the results.
 */
import { MATCHES } from './found-products.ts'
import { findPlace, openCursor } from './line-cursor.ts'
import { matchWords } from './match-words.ts'
import type { ListNeedles } from './needles.ts'
import { MOST_OF_SELLER } from './ranks.ts'
import type { SearchFile } from './search-file.ts'
import { escapeText, parseTail, unescapeText } from './search-file.ts'

const MISSPELT = MATCHES.indexOf('misspelt')

export type Section = 'available' | 'soldOut' | 'sellers'

interface Query {
  readonly words: readonly string[]
  readonly section: Section
  /** The worst match that counts, as an index of `MATCHES`. */
  readonly limit: number
  readonly most: number
  /** True if all matches are equally good, because the query has a misspelt word. */
  readonly isForgiven: boolean
  readonly listNeedles: ListNeedles
}

export interface Hit {
  readonly file: SearchFile
  readonly key: number
  /** An index of `MATCHES`. */
  readonly match: number
  /** True if the same seller has `MOST_OF_SELLER` better ones. */
  readonly isRest: boolean
  readonly rest: string
}

/** Returns the best hits in all files, at most `query.most`. */
export function findHits(files: readonly SearchFile[], query: Query): readonly Hit[] {
  const words = sortByRarity(query.words, files)
  let best: readonly Hit[] = []
  for (const file of files) {
    const found = findInFile(file, { ...query, words }, best[query.most - 1])
    if (found.length > 0) best = [...best, ...found].sort(compareHits).slice(0, query.most)
  }
  return best
}

function compareHits(a: Hit, b: Hit): number {
  return Number(a.isRest) - Number(b.isRest) || a.match - b.match || a.key - b.key
}

/** `last` is the worst hit of a full list of hits in other files; `undefined` if the list is not full. */
function findInFile(file: SearchFile, query: Query, last: Hit | undefined): readonly Hit[] {
  const text = file[query.section]
  const bound = last === undefined || last.isRest ? undefined : last
  const counts = new SellerCounts(query)
  const found: Omit<Hit, 'isRest'>[] = []
  const scan = (from: () => number, to: () => number, worst: number): void => {
    if (!hasNeedles(file, query, worst)) return
    let [at, end] = [from(), to()]
    while (at < end) {
      // A hit may make fewer matches useful, so that other needles are enough.
      const limit = Math.min(worst, counts.limit)
      if (!hasNeedles(file, query, limit)) return
      const needles = query.words.map((word) => query.listNeedles(word, limit))
      const cursor = openCursor(text, needles, at)
      while (at < end && Math.min(worst, counts.limit) === limit) {
        const line = cursor(at)
        if (line === null || line.start >= end) return
        at = line.end
        const words = unescapeText(line.words)
        const match = matchWords(words, query.words, limit)
        if (match === -1) continue
        const { key, rest } = parseTail(line.readTail())
        found.push({ file, key, rest, match: query.isForgiven ? MISSPELT : match })
        counts.add(rest, match)
      }
    }
  }
  const turn = (): number => (bound === undefined ? text.length : findPlace(text, bound.key))
  scan(() => 0, turn, Math.min(query.limit, bound?.match ?? query.limit))
  if (bound !== undefined && !query.isForgiven) scan(turn, () => text.length, bound.match - 1)
  return markRest(found, query)
}

/** Returns whether a line of the file may have each word of the query. */
function hasNeedles(file: SearchFile, { words, listNeedles: list }: Query, limit: number): boolean {
  if (limit < 0) return false
  return (
    !file.isWhole || words.every((word) => list(word, limit).some((needle) => file.words.includes(needle)))
  )
}

/** Counts the hits of a file whose lines are read in the order of their keys. */
class SellerCounts {
  /** The worst match that can still be among the results, if no other file has any. */
  limit: number
  readonly #query: Query
  readonly #counts = new Map<string, number[]>()
  /** For each match, the number of main hits that match at least that well. */
  readonly #mains = MATCHES.map(() => 0)

  constructor(query: Query) {
    this.#query = query
    this.limit = query.limit
  }

  add(rest: string, match: number): void {
    const seller = findSeller(rest, this.#query)
    const counts = this.#counts.get(seller) ?? MATCHES.map(() => 0)
    this.#counts.set(seller, counts)
    // In a forgiving search, all matches are equally good.
    const first = this.#query.isForgiven ? 0 : match
    for (let at = first; at < MATCHES.length; at += 1) {
      const count = (counts[at] ?? 0) + 1
      counts[at] = count
      if (seller === '' || count <= MOST_OF_SELLER) this.#mains[at] = (this.#mains[at] ?? 0) + 1
      if ((this.#mains[at] ?? 0) >= this.#query.most) this.limit = Math.min(this.limit, at - 1)
    }
  }
}

function markRest(found: readonly Omit<Hit, 'isRest'>[], query: Query): readonly Hit[] {
  const counts = new Map<string, number>()
  return found
    .toSorted((a, b) => a.match - b.match || a.key - b.key)
    .map((hit) => {
      const seller = findSeller(hit.rest, query)
      const count = (counts.get(seller) ?? 0) + 1
      counts.set(seller, count)
      return { ...hit, isRest: seller !== '' && count > MOST_OF_SELLER }
    })
}

/** Returns the place of a product's seller; empty for the line of a seller. */
function findSeller(rest: string, { section }: Query): string {
  return section === 'sellers' ? '' : rest.slice(0, rest.indexOf(' '))
}

/** Sorts the words, the rarest first, judged by the first file. */
function sortByRarity(words: readonly string[], [file]: readonly SearchFile[]): readonly string[] {
  // The most frequent words come first in a file.
  const place = (word: string): number => {
    const found = file?.words.indexOf(escapeText(word)) ?? -1
    return found === -1 ? Infinity : found
  }
  return words
    .map((word) => ({ word, place: place(word) }))
    .sort((a, b) => (a.place === b.place ? b.word.length - a.word.length : b.place - a.place))
    .map(({ word }) => word)
}
