/**
 * The documents of a seller in the index, and their keys.
 *
 * Keys ascend in the order of results: sellers have negative keys, those with the most products first; then come the
 * available products, then the others, both by ascending price. The lowest bits of a key are a hash, and the higher
 * bits are the rank of the document. So among documents that match equally well, the first rows of a query are the best
 * results, and no other row is read. A key is a safe integer of JavaScript.
 */
import type { FoundProduct, FoundSeller } from '../../domain/pages/found-products.ts'
import { HASHES, hashPlace, rankPrice, rankSeller } from '../../domain/search/search-answer.ts'
import type { SearchEntry } from '../../domain/search/search-entry.ts'
import { rankProduct, rankWords } from '../../domain/search/words.ts'

export interface ShardDocument {
  /**
   * The computed key, or the next free key of the same rank if another document has the computed one. A stored document
   * keeps its key while its rank stays the same.
   */
  readonly key: number
  /** Separated by spaces. */
  readonly words: string
  readonly value: string
}

export type ProductValue = Omit<FoundProduct, 'match'>
export type SellerValue = Omit<FoundSeller, 'match'>

/** The smallest key of a product that is not available. */
export const FIRST_UNAVAILABLE = 2 ** 52

/** A word that marks the document of a seller. No product has it, and no query can contain it. */
export const SELLER_MARK = '·'

/**
 * Prefix of the words after the first `MAX_RANKED_WORDS` words of a product's name. A product found by such a word
 * comes after products found by their first words. No query can contain the prefix.
 */
export const LATER_MARK = '»'

/**
 * Max distinct words of a seller. Further words are dropped, so a search for a dropped word does not find the product
 * that has it.
 */
export const MAX_SELLER_WORDS = 4_000

/** `name` is unique among the documents of a seller. */
export interface NamedDocument extends ShardDocument {
  readonly name: string
}

/** Prefix of the word that encodes a product's seller and availability. No query can contain this prefix. */
const GROUP_MARK = '°'

/** `salt` is secret, so that the hashes cannot be computed outside the shard. */
export function createShardDocuments(
  { seller, products }: SearchEntry,
  salt: string,
): readonly NamedDocument[] {
  const available = products.filter(({ product }) => product.available).length
  const value: SellerValue = { ...seller, products: products.length, available }
  const own = {
    key: createSellerKey(value, salt),
    words: [SELLER_MARK, ...rankWords(seller.name).first].join(' '),
    value: JSON.stringify(value),
    name: '',
  }
  return limitWords([own, ...products.map((one) => createProductDocument({ ...one, seller }, salt))])
}

/** Drops the words beyond `MAX_SELLER_WORDS`. Keeps the order of the documents. */
function limitWords(documents: readonly NamedDocument[]): readonly NamedDocument[] {
  const known = new Set<string>()
  const isKept = (word: string): boolean => {
    if (isMark(word)) return true
    if (known.size < MAX_SELLER_WORDS) known.add(word)
    return known.has(word)
  }
  return documents.map((one) => ({ ...one, words: one.words.split(' ').filter(isKept).join(' ') }))
}

/** Parses a document's stored `value`, and returns the document's name: empty for the seller's own document. */
export function parseName(value: string): string {
  const parsed = JSON.parse(value) as Partial<ProductValue>
  return parsed.product === undefined ? '' : formatName(parsed.product.id)
}

/** Returns whether both keys have the same rank. A stored document keeps its key if its new key has the same rank. */
export function isSameRank(key: number, other: number): boolean {
  return Math.floor(key / HASHES) === Math.floor(other / HASHES)
}

/** Returns the next key of the same rank; after the last key of the rank, returns the first. */
export function findNextKey(key: number): number {
  const next = key + 1
  return isSameRank(key, next) ? next : next - HASHES
}

/** Returns whether a word of a document is a mark, and does not come from a name. */
export function isMark(word: string): boolean {
  return word === SELLER_MARK || word.startsWith(GROUP_MARK)
}

/**
 * Returns the word that is shared by all available products of one seller, or by all unavailable ones; `null` for the
 * document of a seller.
 */
export function findGroup(words: string): string | null {
  return words.startsWith(GROUP_MARK) ? (words.split(' ', 1)[0] ?? null) : null
}

function createGroup({ product, seller }: ProductValue, salt: string): string {
  const hashes = ['a', 'b'].map((part) => hashPlace(salt, part, seller.id).toString(36))
  return ['', ...hashes, ...(product.available ? [] : [''])].join(GROUP_MARK)
}

function createProductDocument(value: ProductValue, salt: string): NamedDocument {
  const { product, seller } = value
  const { first, later } = rankProduct(product)
  const rank = (product.available ? 0 : FIRST_UNAVAILABLE / HASHES) + rankPrice(product)
  return {
    key: rank * HASHES + hashPlace(salt, seller.id, product.id),
    words: [createGroup(value, salt), ...first, ...later.map((word) => LATER_MARK + word)].join(' '),
    value: JSON.stringify(value),
    name: formatName(product.id),
  }
}

function createSellerKey(seller: SellerValue, salt: string): number {
  return (rankSeller(seller) - HASHES) * HASHES + hashPlace(salt, seller.id)
}

function formatName(product: string): string {
  return `/${product}`
}
