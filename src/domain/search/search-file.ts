/**
 * The format of a search file, which lists some sellers and their products, both by key, the best first. It is ASCII,
 * because a string of V8 with one character beyond Latin-1 takes twice the memory. It has these parts, each with a form
 * feed at its end:
 *
 * - the format;
 * - the number of the site's search files;
 * - the distinct words, the most frequent first; in a second line, those that may not be misspelt or written together;
 * - a line for each seller: her words, key and, twice, the place of her card;
 * - a line for each product: its words, key, and the places of its seller's card and of its own;
 * - the cards, in lines of JSON: what a result shows.
 */
import { formatPageFile } from '../documents/page-address.ts'
import { BUCKETS } from '../work/buckets.ts'

export const FORMAT = 'vitrina-search 3'
export const END = '\f'

/** Keys of products that are not available are at least this, and others are smaller. */
export const SOLD_OUT_KEY = 2 ** 48

/** Up to this number of products there are few files, so that a Worker on the free plan can read all in one request. */
const FEW_PRODUCTS = 25_000
/** Max products of a site with a search: their files take some 80 MB of the 128 MB of a Worker. */
export const MOST_SEARCHED = 250_000
/** Number of search files. With more files, a change of one product writes fewer bytes. */
export const SEARCH_FILES = { few: 32, many: BUCKETS } as const

export interface SearchFile {
  /** Number of the site's search files. */
  readonly files: number
  readonly words: string
  readonly sellers: string
  readonly products: string
  readonly cards: string
}

/** Returns the number of search files of a site with this number of products. */
export function countSearchFiles(products: number): number {
  return products > FEW_PRODUCTS ? SEARCH_FILES.many : SEARCH_FILES.few
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

/** Throws if the format is unknown, or the text incomplete. */
export function parseSearchFile(text: string): SearchFile {
  const [format, files, words = '', sellers = '', products = '', cards = '', rest] = text.split(END)
  if (format !== FORMAT || rest !== '')
    throw new Error('a search file has a format that this version does not know')
  return { files: Number(files), words, sellers, products, cards }
}
