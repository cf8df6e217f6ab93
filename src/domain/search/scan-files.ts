/**
 * Scans search files for the lines that match a query. Looks only at lines that have the rarest word of the query. The
 * lines of a file ascend by key, so a file is left as soon as no further line can be among the results.
 */
import type { SearchFile } from './search-file.ts'
import { SOLD_OUT_KEY } from './search-file.ts'
import type { Form } from './word-forms.ts'

/**
 * Max products of one seller, of those that match equally well, in the main part of the results. Her further products
 * come after those of other sellers.
 */
export const MOST_OF_SELLER = 3

/** The forms of each word of a query. */
export type Words = readonly (readonly Form[])[]

export interface Query {
  readonly section: 'products' | 'sellers'
  /** For each match, the best first, the words in it. They find all lines that those before them find. */
  readonly matches: readonly Words[]
  readonly most: number
}

export interface Hit {
  readonly file: SearchFile
  /** The places of the cards of the seller and of what is found. */
  readonly seller: number
  readonly card: number
  /** A smaller rank is better. */
  readonly rank: number
}

/** Returns the best hits in all files, at most `most`. */
export function findHits(files: readonly SearchFile[], query: Query): readonly Hit[] {
  let best: readonly Hit[] = []
  for (const file of files) {
    const found = scanFile(file, query, best[query.most - 1]?.rank ?? Infinity)
    best = [...best, ...found].sort((a, b) => a.rank - b.rank).slice(0, query.most)
  }
  return best
}

/** Returns the hits of a file whose rank is below `limit`. */
function scanFile(file: SearchFile, { section, matches }: Query, limit: number): readonly Hit[] {
  const text = file[section]
  // A file has few sellers, but one of them may have very many words.
  const known = section === 'sellers' ? text : file.words
  const rank = (key: number, match: number, isRest = false): number => {
    const group = Math.floor(key / SOLD_OUT_KEY) * 2 + Number(isRest)
    return (group * matches.length + match) * SOLD_OUT_KEY + (key % SOLD_OUT_KEY)
  }
  const hits: Hit[] = []
  const counts = new Map<number, number>()
  let [worst, end, key] = [matches.length, 0, 0]
  let findNeedle = openCursor(text, [])
  for (;;) {
    // The worst match by which a line with this key, or a greater one, can be among the results.
    const next = matches.findLastIndex((_, match) => rank(key, match) < limit)
    if (next !== worst) findNeedle = openCursor(text, listNeedles(known, matches[next]))
    worst = next
    const place = findNeedle(end)
    if (place === Infinity) return hits
    const start = text.lastIndexOf('\n', place) + 1
    const tab = text.indexOf('\t', start)
    end = text.indexOf('\n', tab) + 1
    const words = text.slice(start, tab)
    if (!hasWords(words, matches[worst] ?? [])) continue
    const match = matches.findIndex((one) => hasWords(words, one))
    const numbers = text.slice(tab + 1, end).split(' ')
    const [own = 0, seller = 0, card = 0] = numbers.map((one) => parseInt(one, 36))
    key = own
    const group = seller * matches.length + match
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    const hit = { file, seller, card, rank: rank(key, match, count > MOST_OF_SELLER) }
    if (hit.rank < limit) hits.push(hit)
  }
}

function hasWords(line: string, words: Words): boolean {
  return words.every((forms) => forms.some((form) => form.every((text) => line.includes(text))))
}

/** Returns the texts by which the rarest of the words is found: each line with the words has one of them. */
function listNeedles(known: string, words: Words = []): readonly string[] {
  let [rarest, needles]: [number, readonly string[]] = [-1, []]
  // A rare text is long and comes late, because the most frequent words come first in a file.
  const rate = (text: string): number => find(known, text, find(known, text.trimStart()) - 1) * text.length
  for (const forms of words) {
    const found = forms
      .map((form) => form.map((text) => [rate(text), text] as const))
      .map((texts) => texts.reduce((a, b) => (b[0] > a[0] ? b : a)))
      .filter(([rarity]) => rarity !== Infinity)
    const rarity = Math.min(...found.map(([one]) => one))
    if (rarity > rarest) [rarest, needles] = [rarity, found.map(([, text]) => text)]
    if (rarity === Infinity) break
  }
  return needles
}

/** Returns a function that returns the first place from `at` on of one of the texts; `Infinity` for none. */
function openCursor(text: string, texts: readonly string[]): (at: number) => number {
  // A text is looked for without the space before it, because a space is more frequent than a letter.
  const next = texts.map((one) => ({ needle: one.trimStart(), place: -1 }))
  return (at) => {
    for (const one of next) if (one.place < at) one.place = find(text, one.needle, at)
    return Math.min(...next.map(({ place }) => place))
  }
}

/** Returns the first place of a text from `at` on; `Infinity` for none. Looks for its start, which V8 finds faster. */
function find(text: string, needle: string, at = 0): number {
  const start = needle.slice(0, 6)
  let place = text.indexOf(start, at)
  while (place !== -1 && !text.startsWith(needle, place)) place = text.indexOf(start, place + 1)
  return place === -1 ? Infinity : place
}
