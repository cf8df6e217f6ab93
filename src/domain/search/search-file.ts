/**
 * The format of a search file, which lists some sellers and their products, the best first. It is ASCII, because a
 * string of V8 with one character beyond Latin-1 takes twice the memory. The sections, whose lengths are in the first
 * line, are:
 *
 * - the distinct words, the most frequent first;
 * - a line for each seller: words, key, facts as JSON;
 * - a line for each product: words, key, place of the seller, place of the card;
 * - a line of JSON for each card.
 */
import { formatPageFile } from '../documents/page-address.ts'
import type { Product, ProductSeller } from '../documents/product.ts'
import type { Picture } from '../photos/picture.ts'
import { formatTransformations } from '../photos/transformations.ts'
import { BUCKETS } from '../work/buckets.ts'

export const FORMAT = 'vitrina-search 2'

/** Bits of the hash in a key, which orders products of the same price. */
export const HASH_BITS = 18
/** Keys of products that are not available are at least this, and others are smaller. */
export const SOLD_OUT_KEY = 2 ** (30 + HASH_BITS)

/** Up to this number of products there are few files, so that a Worker on the free plan can read all in one request. */
const FEW_PRODUCTS = 25_000
/** Max products of a site with a search: their files take some 80 MB of the 128 MB of a Worker. */
export const MOST_SEARCHED = 250_000
/** Number of search files. With more files, a change of one product writes fewer bytes. */
export const SEARCH_FILES = { few: 32, many: BUCKETS } as const

export const SECTIONS = ['words', 'sellers', 'products', 'cards'] as const

export type SearchFile = Readonly<Record<(typeof SECTIONS)[number], string>> & {
  /** Number of the site's search files. */
  readonly files: number
  /** True if `words` has all words of the other sections. */
  readonly isWhole: boolean
}

export type FoundSeller = ProductSeller & { readonly products: number }

/** What a result shows of a product. */
export interface SearchCard extends Pick<Product, 'name' | 'price' | 'available'> {
  /** The part of the product's address that follows the address of its catalogue. */
  readonly link: string
  /** The available decants as people read them; empty for none. */
  readonly decants: string
  /** Address of the photo for browsers that do not use `source`. */
  readonly photo: string
  /** The photo in its smallest size. `type` is `null` if the edge chooses the format. */
  readonly source: { readonly type: string | null; readonly srcset: string } | null
  /** Index of the placeholder colour in `TONES`; `null` for none. */
  readonly tone: number | null
}

/** The address of a picture that the edge makes follows from the photo, so it is left out, and `type` is `null`. */
export type PackedCard = readonly [
  link: string,
  name: string,
  price: number | null,
  available: boolean,
  decants: string,
  photo: string,
  ...picture:
    | readonly []
    | readonly [type: null]
    | readonly [type: string, srcset: string, tone: number | null],
]

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
  const numbers = head.startsWith(`${FORMAT} `)
    ? head
        .slice(FORMAT.length + 1)
        .split(' ')
        .map(Number)
    : []
  const [files = 0, isWhole, ...lengths] = numbers
  let end = head.length
  const [words = '', sellers = '', products = '', cards = ''] = lengths.map((length) =>
    text.slice(end, (end += length)),
  )
  if (lengths.length !== SECTIONS.length || end !== text.length)
    throw new SearchFormatError('a search file has a format that this version does not know')
  return { files, isWhole: isWhole === 1, words, sellers, products, cards }
}

/** Returns the seller whose line begins at `place`. */
export function readSeller({ sellers }: SearchFile, place: number): FoundSeller {
  const [id, name, products] = JSON.parse(readJson(sellers, place))
  return { id, name, products }
}

/** Returns the card whose line begins at `place`. */
export function readCard({ cards }: SearchFile, place: number): SearchCard {
  const [link, name, price, available, decants, photo, ...picture]: PackedCard = JSON.parse(
    readJson(cards, place),
  )
  const [type, srcset = '', tone = null] = picture
  const made = type === null ? formatSource(formatTransformations(photo)) : srcset
  const source = type === undefined ? null : { type, srcset: made }
  return { link, name, price, available, decants, photo, source, tone }
}

export function formatSource({ sources: [smallest] }: Picture): string {
  return smallest === undefined ? '' : `/${smallest.path}`
}

/**
 * Replaces characters beyond ASCII as in JSON, in capital letters, so that words, which have none, are not found in
 * the numbers.
 */
export function escapeText(text: string): string {
  return text.replace(
    /[^\0-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
}

function readJson(section: string, place: number): string {
  return section.slice(section.indexOf('[', place), section.indexOf('\n', place))
}
