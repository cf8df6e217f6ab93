/**
 * The format of a search file, which lists some sellers and their products, the best first. It is ASCII, because a
 * string of V8 with one character beyond Latin-1 takes twice the memory. The sections, whose lengths are in the first
 * line, are:
 *
 * - the distinct words, the most frequent first;
 * - a line for each seller: words, key, facts as JSON;
 * - a line for each available product: words, key, place of the seller, place of the card;
 * - the same for products that are not available;
 * - a line of JSON for each card.
 */
import { formatPageFile } from '../documents/page-address.ts'
import { BUCKETS } from '../work/buckets.ts'
import type { FoundSeller } from './found-products.ts'

export const FORMAT = 'vitrina-search 1'

/** Up to this number of products there are few files, so that a Worker on the free plan can read all in one request. */
const FEW_PRODUCTS = 25_000
/** Max products of a site with a search: their files take some 80 MB of the 128 MB of a Worker. */
export const MOST_SEARCHED = 250_000
/** Number of search files. With more files, a change of one product writes fewer bytes. */
export const SEARCH_FILES = { few: 32, many: BUCKETS } as const

export const SECTIONS = ['words', 'sellers', 'available', 'soldOut', 'cards'] as const

export type SearchFile = Readonly<Record<(typeof SECTIONS)[number], string>> & {
  /** Number of the site's search files. */
  readonly files: number
  /** True if `words` has all words of the other sections. */
  readonly isWhole: boolean
}

/** The facts about a found seller that a search file has. */
export type SellerFacts = Omit<FoundSeller, 'match'>

/** What follows the words of a line. */
export interface LineTail {
  /** A smaller key is better. */
  readonly key: number
  readonly rest: string
}

/** No word has this character. */
export const LATER_MARK = '~'

/** Returns the number of search files of a site with this number of products. */
export function countSearchFiles(products: number): number {
  return products > FEW_PRODUCTS ? SEARCH_FILES.many : SEARCH_FILES.few
}

/** Returns the buckets of sellers that a search file lists, ascending. */
export function listSearchBuckets(number: number, files: number): readonly number[] {
  const each = BUCKETS / files
  return Array.from({ length: each }, (_, index) => number * each + index)
}

/** Returns the number of the search file that lists this bucket of sellers. */
export function findSearchFile(bucket: number, files: number): number {
  return Math.floor((bucket * files) / BUCKETS)
}

/** Returns the path of a search file, relative to the output folder: `buscar/03.txt` for 3. */
export function formatSearchFilePath(number: number): string {
  const bucket = number.toString(16).padStart(2, '0')
  return formatPageFile({ kind: 'search-file', seller: null, product: null, bucket })
}

/** The text has a format that this code does not know, or is incomplete. */
export class SearchFormatError extends Error {
  override readonly name = 'SearchFormatError'
}

/** Throws a `SearchFormatError` if the format is unknown, or the text incomplete. */
export function parseSearchFile(text: string): SearchFile {
  const head = text.slice(0, text.indexOf('\n') + 1)
  const [files = 0, isWhole, ...lengths] = head.startsWith(`${FORMAT} `)
    ? head.slice(FORMAT.length).trim().split(' ').map(Number)
    : []
  const whole = lengths.reduce((sum, length) => sum + length, head.length)
  if (lengths.length !== SECTIONS.length || whole !== text.length)
    throw new SearchFormatError('a search file has a format that this version does not know')
  let end = head.length
  const sections = SECTIONS.map((name, index) => {
    const start = end
    end += lengths[index] ?? 0
    return [name, text.slice(start, end)]
  })
  return {
    ...(Object.fromEntries(sections) as Omit<SearchFile, 'files' | 'isWhole'>),
    files,
    isWhole: isWhole === 1,
  }
}

/** Returns the line of a section that begins at `start`, without its end. */
export function readLine(section: string, start: number): string {
  return section.slice(start, section.indexOf('\n', start))
}

export function parseTail(tail: string): LineTail {
  const space = tail.indexOf(' ')
  return { key: parseNumber(tail.slice(0, space)), rest: tail.slice(space + 1) }
}

/** Returns the facts of the seller whose line begins at `place`. */
export function readSellerFacts({ sellers }: SearchFile, place: number): SellerFacts {
  const line = readLine(sellers, place)
  const [id, name, products, available] = JSON.parse(parseTail(line.slice(line.indexOf('\t') + 1)).rest)
  return { id, name, products, available }
}

/** Replaces characters beyond ASCII as in JSON. */
export function escapeText(text: string): string {
  return text.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\u(....)/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}

export function parseNumber(text: string): number {
  return parseInt(text, 36)
}
