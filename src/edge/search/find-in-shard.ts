/** Finds the documents of a query in the tables of a shard. */
import { findMeaning } from '../../domain/catalogue/plain-words.ts'
import type { Match } from '../../domain/pages/found-products.ts'
import { MOST_FOUND, MOST_OF_SELLER } from '../../domain/search/search-answer.ts'
import type { FoundDocument, ShardAnswer } from '../../domain/search/search-index.ts'
import type { Express } from './expand-words.ts'
import { openExpressions } from './expand-words.ts'
import { cutDocuments } from './merge-found.ts'
import type { ShardDocument } from './shard-documents.ts'
import { findGroup, FIRST_UNAVAILABLE, SELLER_MARK } from './shard-documents.ts'
import type { ReadRows } from './shard-tables.ts'
import { readByKeys } from './write-documents.ts'

/**
 * A kind of document, given by a range of keys. `mark`: a word that all documents of sellers have, and no others; empty
 * for products.
 */
interface Kind {
  readonly range: string
  readonly mark: string
  /** Max results: one more than a page shows, to detect that there are more. */
  readonly most: number
  /** Ways to match, best first. Each also finds what the better ones find. */
  readonly matches: readonly Match[]
}

const PRODUCTS: Kind = {
  range: 'rowid >= 0',
  mark: '',
  most: MOST_FOUND.products + 1,
  matches: ['whole', 'beginning', 'part'],
}
const SELLERS: Kind = {
  range: 'rowid < 0',
  mark: SELLER_MARK,
  most: MOST_FOUND.sellers + 1,
  matches: ['whole', 'beginning'],
}

interface MatchedKey {
  readonly key: number
  readonly match: Match
}

interface Query {
  readonly read: ReadRows
  readonly words: readonly string[]
  readonly kind: Kind
  /** Returns the expression for one way to match; `null` if no document can match in that way. */
  readonly express: Express
  /** Documents with one of these words are excluded. */
  readonly without: readonly string[]
}

interface Found extends ShardDocument {
  readonly match: Match
}

/**
 * Max passes of `findSpread`. Each pass adds products of other sellers, so after this many passes, an answer has
 * products of many sellers.
 */
const MOST_LOOKS = 6

export function findInShard(read: ReadRows, words: readonly string[]): ShardAnswer {
  const open = (kind: Kind): Query => ({
    read,
    words,
    kind,
    express: openExpressions(read, words, kind.mark),
    without: [],
  })
  const [products, sellers] = [open(PRODUCTS), open(SELLERS)]
  const answer = { products: findSpread(products), sellers: findSpread(sellers) }
  if (answer.products.length + answer.sellers.length > 0) return answer
  return { products: findMisspelt(products), sellers: findMisspelt(sellers) }
}

/** Finds documents even if words of the query are misspelt. Used for a query that finds nothing otherwise. */
function findMisspelt(query: Query): readonly FoundDocument[] {
  const { kind, express } = query
  const isTried = express('misspelt') === express(kind.matches.at(-1) ?? 'whole')
  return isTried ? [] : findSpread({ ...query, kind: { ...kind, matches: ['misspelt'] } })
}

/**
 * Finds the best documents, of several sellers if possible: if a few sellers have most of the best products, the next
 * pass excludes those who already have enough.
 */
function findSpread(query: Query): readonly FoundDocument[] {
  const { most } = query.kind
  const found = new Map<number, Found>()
  let without: readonly string[] = []
  for (let look = 1; ; look += 1) {
    const more = findDocuments({ ...query, without })
    for (const one of more) found.set(one.key, one)
    const ranked = rankGroups(cutDocuments([...found.values()], found.size))
    const isEnough = ranked.filter(({ isRest }) => !isRest).length >= most
    if (isEnough || more.length < most || look === MOST_LOOKS) return cutDocuments(ranked, most)
    without = listFull([...found.values()])
  }
}

/**
 * Marks with `isRest` the products of each group (see `findGroup`) beyond the first `MOST_OF_SELLER`. `found` is
 * sorted, the best first.
 */
function rankGroups(found: readonly Found[]): readonly FoundDocument[] {
  const counts = new Map<string, number>()
  return found.map(({ key, match, words, value }) => {
    const group = findGroup(words)
    const count = (counts.get(group ?? '') ?? 0) + 1
    counts.set(group ?? '', count)
    return { key, match, value, isRest: group !== null && count > MOST_OF_SELLER }
  })
}

/** Returns the groups (see `findGroup`) that already have enough products. */
function listFull(found: readonly Found[]): readonly string[] {
  const groups = found.flatMap(({ words }) => findGroup(words) ?? [])
  return [...Map.groupBy(groups, (group) => group)]
    .filter(([, all]) => all.length >= MOST_OF_SELLER)
    .map(([group]) => group)
}

/**
 * Reads all documents that match in any way, or only the best for each way if there are too many. The result is exact
 * in both cases, but the second case reads keys up to three more times, which is slow for frequent words that few
 * documents have together.
 */
function findDocuments(query: Query): readonly Found[] {
  const { read, words, kind, express } = query
  const limit = 2 * kind.most
  const expression = express(kind.matches.at(-1) ?? 'whole')
  const keys = readKeys(query, { expression, limit })
  if (keys.length === limit) {
    const best = cutDocuments(findByMatch(query, { expression, keys }), kind.most)
    const rows = new Map(
      readDocuments(
        read,
        best.map(({ key }) => key),
      ).map((row) => [row.key, row]),
    )
    return best.flatMap(({ key, match }) => {
      const row = rows.get(key)
      return row === undefined ? [] : [{ ...row, match }]
    })
  }
  const found = readDocuments(read, keys).map((row) => ({
    ...row,
    match: findMatch(words, row.words, kind.matches),
  }))
  return cutDocuments(found, kind.most)
}

/**
 * Reads keys for one way to match after another, the best first. Stops once there are enough available products,
 * because these come before all others.
 */
function findByMatch(
  query: Query,
  widest: { readonly expression: string | null; readonly keys: readonly number[] },
): readonly MatchedKey[] {
  const { kind, express } = query
  const found = new Map<number, MatchedKey>()
  for (const match of kind.matches) {
    const expression = express(match)
    const isWidest = expression === widest.expression
    const limit = kind.most + found.size
    const keys =
      isWidest && limit <= widest.keys.length ? widest.keys : readKeys(query, { expression, limit })
    for (const key of keys) if (!found.has(key)) found.set(key, { key, match })
    const available = [...found.keys()].filter((key) => key < FIRST_UNAVAILABLE)
    if (isWidest || available.length >= kind.most) break
  }
  return [...found.values()]
}

function readKeys(
  { read, kind, without }: Query,
  { expression, limit }: { readonly expression: string | null; readonly limit: number },
): readonly number[] {
  if (expression === null) return []
  // The index applies the upper end of a key range only to documents that match. Without the mark, a search for sellers
  // would read all matching products.
  const { range, mark } = kind
  const marked = mark === '' ? expression : `"${mark}" AND ${expression}`
  const excluded = without.map((word) => `"${word}"`).join(' OR ')
  return read<{ key: number }>(
    `SELECT rowid AS key FROM word_index WHERE word_index MATCH ? AND ${range} ORDER BY rowid LIMIT ?`,
    excluded === '' ? marked : `(${marked}) NOT (${excluded})`,
    limit,
  ).map(({ key }) => key)
}

function readDocuments(read: ReadRows, keys: readonly number[]): readonly ShardDocument[] {
  return readByKeys<ShardDocument>(read, 'SELECT key, words, value', keys)
}

/**
 * Returns how well a document matches a query: the match of the query word that matches worst. If `matches` contains
 * only `misspelt`, returns that.
 */
function findMatch(words: readonly string[], text: string, matches: Kind['matches']): Match {
  const own = text.split(' ')
  const found = words.map((word): Match => {
    if (own.includes(word) || own.includes(findMeaning(word) ?? word)) return 'whole'
    return own.some((one) => one.startsWith(word)) ? 'beginning' : 'part'
  })
  return matches.findLast((match) => found.includes(match)) ?? matches[0] ?? 'whole'
}
