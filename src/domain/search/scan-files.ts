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

type Section = 'products' | 'sellers'

/** The forms of each word of a query. */
export type Words = readonly (readonly Form[])[]

export interface Query {
  readonly section: Section
  /** For each match, the best first, the words in it. They find all lines that those before them find. */
  readonly matches: readonly Words[]
  readonly most: number
}

export interface Hit {
  readonly file: SearchFile
  /** The places of the lines of the seller and of the card. */
  readonly seller: number
  readonly card: number
  /** A smaller rank is better. */
  readonly rank: number
}

/** Returns the best hits in all files, at most `most`. */
export function findHits(files: readonly SearchFile[], query: Query): readonly Hit[] {
  const best = new BestHits(query.most)
  for (const file of files) scanFile(file, query, best)
  return best.hits
}

class BestHits {
  /** In order. */
  readonly hits: Hit[] = []
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** Returns whether a hit of this rank would be among the best so far. */
  isAmong(rank: number): boolean {
    return rank < (this.hits[this.#most - 1]?.rank ?? Infinity)
  }

  add(hit: Hit): void {
    if (!this.isAmong(hit.rank)) return
    this.hits.splice(this.hits.findLastIndex(({ rank }) => rank <= hit.rank) + 1, 0, hit)
    this.hits.splice(this.#most)
  }
}

function scanFile(file: SearchFile, { section, matches }: Query, best: BestHits): void {
  const counts = new Map<string, number>()
  const rank = (isRest: boolean, match: number, key: number): number => {
    const group = Math.floor(key / SOLD_OUT_KEY) * 2 + Number(isRest)
    return (group * matches.length + match) * SOLD_OUT_KEY + (key % SOLD_OUT_KEY)
  }
  // The worst match by which a line with this key can be among the best.
  const findLimit = (key: number): number =>
    matches.findLastIndex((_, match) => best.isAmong(rank(false, match, key)))
  let limit = findLimit(0)
  let findLine = openLines(file, section, matches[limit])
  for (let line = findLine(0); line !== null; line = findLine(line.end)) {
    const { start, words, tail } = line
    const match = matches.findIndex((one) => hasWords(words, one))
    const [key = 0, ...places] = tail.split(' ', 3).map((number) => parseInt(number, 36))
    const [seller = 0, card = 0] = section === 'sellers' ? [start] : places
    const count = (counts.get(`${seller} ${match}`) ?? 0) + 1
    counts.set(`${seller} ${match}`, count)
    best.add({ file, seller, card, rank: rank(count > MOST_OF_SELLER, match, key) })
    if (findLimit(key) === limit) continue
    limit = findLimit(key)
    findLine = openLines(file, section, matches[limit])
  }
}

interface Line {
  readonly start: number
  /** The start of the next line. */
  readonly end: number
  readonly words: string
  readonly tail: string
}

/** Returns a function that returns the first line from `at` on that has the words; `null` if there is none. */
function openLines(file: SearchFile, section: Section, words: Words = NOTHING): (at: number) => Line | null {
  const text = file[section]
  const plan = planScan(file, words)
  const findNeedle = openCursor(text, plan.needles)
  return (at) => {
    for (let place = findNeedle(at); place !== -1;) {
      const start = text.lastIndexOf('\n', place) + 1
      const tab = text.indexOf('\t', start)
      const end = text.indexOf('\n', tab) + 1
      const own = text.slice(start, tab)
      if (hasWords(own, plan.words)) return { start, end, words: own, tail: text.slice(tab + 1, end) }
      place = findNeedle(end)
    }
    return null
  }
}

/** Words that no line has. */
const NOTHING: Words = [[]]

function hasWords(line: string, words: Words): boolean {
  for (const forms of words) if (!hasForm(line, forms)) return false
  return true
}

function hasForm(line: string, forms: readonly Form[]): boolean {
  next: for (const form of forms) {
    for (const text of form) if (!line.includes(text)) continue next
    return true
  }
  return false
}

/** How lines with words are looked for in a file. */
interface Plan {
  /** In the order in which it is tested whether a line has them. */
  readonly words: Words
  /** Each line with the words has one of these. */
  readonly needles: readonly string[]
}

/** Returns a plan by the rarest of the words. It finds nothing if no line of the file can have them. */
function planScan({ words: all, isWhole }: SearchFile, words: Words): Plan {
  const found: (Plan & { readonly place: number })[] = []
  for (const forms of words) {
    const texts = forms
      .map((form) => findRarestText(all, form))
      .filter(({ place }) => !isWhole || place !== Infinity)
    if (texts.length === 0) return { words: NOTHING, needles: [] }
    const place = Math.min(...texts.map((one) => one.place))
    found.push({ words: [forms], needles: texts.map(({ text }) => text), place })
  }
  const [rarest, ...others] = found.sort((a, b) => b.place - a.place)
  const tested = [...others, ...found.slice(0, 1)].flatMap((one) => one.words)
  return { words: tested, needles: rarest?.needles ?? [] }
}

/** Returns the text of a form that comes last in the words of a file, in which the most frequent come first. */
function findRarestText(all: string, form: Form): { readonly text: string; readonly place: number } {
  let rarest = { text: '', place: -1 }
  for (const text of form) {
    const found = all.indexOf(text)
    const place = found === -1 ? Infinity : found
    if (place > rarest.place) rarest = { text, place }
  }
  return rarest
}

/** Returns a function that returns the first place from `at` on of one of the texts; -1 for none. */
function openCursor(text: string, texts: readonly string[]): (at: number) => number {
  // A text is looked for without the space before it, because a space is more frequent than a letter.
  const needles = texts.map((one) => one.trimStart())
  const next = needles.map(() => -2)
  return (at) => {
    let first = -1
    for (const [index, needle] of needles.entries()) {
      let place = next[index] ?? -1
      if (place !== -1 && place < at) next[index] = place = text.indexOf(needle, at)
      if (place !== -1 && (first === -1 || place < first)) first = place
    }
    return first
  }
}
