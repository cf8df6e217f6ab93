/** Answers a query from the tables of a shard. */
import type { FoundProduct, FoundSeller, Match, SearchAnswer } from '../../domain/pages/found-products.ts'
import { compareProducts, compareSellers, MOST_FOUND } from '../../domain/search/search-answer.ts'
import { formatExpression } from './expand-words.ts'
import type { ProductValue, SellerValue } from './shard-documents.ts'
import { FIRST_UNAVAILABLE, SELLER_MARK } from './shard-documents.ts'
import type { ReadRows } from './shard-tables.ts'

/** What is looked for: a range of keys, and the beginning of the expression. */
interface Kind {
  readonly range: string
  readonly mark: string
  readonly most: number
  /** Best first. Each finds what the better ones find, too. */
  readonly matches: readonly Match[]
}

const PRODUCTS: Kind = {
  range: 'word_index.rowid >= 0',
  mark: '',
  most: MOST_FOUND.products,
  matches: ['whole', 'beginning', 'part'],
}
const SELLERS: Kind = {
  range: 'word_index.rowid < 0',
  // The index applies the upper end of a range to documents that match: it would read those of all products before.
  mark: `"${SELLER_MARK}" AND `,
  most: MOST_FOUND.sellers,
  matches: ['whole', 'beginning'],
}

/** Documents whose keys collide stand in any order: some more are read, and the rest is cut off after sorting. */
const SPARE = 8

interface FoundRow {
  readonly key: number
  readonly words: string
  readonly value: string
}

type MatchedRow = Pick<FoundRow, 'key' | 'value'> & { readonly match: Match }

interface Query {
  readonly read: ReadRows
  readonly words: readonly string[]
  /** `null`: nothing matches in this way. */
  readonly express: (match: Match) => string | null
}

export function findInShard(read: ReadRows, words: readonly string[]): SearchAnswer {
  const query: Query = { read, words, express: rememberExpressions(read, words) }
  const answer = createAnswer(findOfKind(query, PRODUCTS), findOfKind(query, SELLERS))
  if (answer.products.length + answer.sellers.length > 0) return answer
  return createAnswer(findMisspelt(query, PRODUCTS), findMisspelt(query, SELLERS))
}

/** For a kind of which nothing is found otherwise. */
function findMisspelt(query: Query, kind: Kind): readonly MatchedRow[] {
  const isTried = query.express('misspelt') === query.express(kind.matches.at(-1) ?? 'whole')
  return isTried ? [] : findOfKind(query, { ...kind, matches: ['misspelt'] })
}

/**
 * Reads all that matches in any way; if that is too much, the best of each way. The second is exact too, but reads the
 * documents of the words up to three times, and that is slow for frequent words that few documents have together.
 */
function findOfKind(query: Query, kind: Kind): readonly MatchedRow[] {
  const limit = 2 * kind.most + SPARE
  const expression = query.express(kind.matches.at(-1) ?? 'whole')
  const rows = readFound(query.read, kind, { expression, limit })
  if (rows.length === limit) return findByMatch(query, kind, { expression, rows })
  return rows.map((row) => ({ ...row, match: findMatch(query.words, row.words, kind.matches) }))
}

/** Available products come before all others, so it ends when there are enough of them. */
function findByMatch(
  { read, express }: Query,
  kind: Kind,
  widest: { readonly expression: string | null; readonly rows: readonly FoundRow[] },
): readonly MatchedRow[] {
  const found = new Map<number, MatchedRow>()
  for (const match of kind.matches) {
    const expression = express(match)
    const isWidest = expression === widest.expression
    const limit = kind.most + SPARE + found.size
    const rows =
      isWidest && limit <= widest.rows.length ? widest.rows : readFound(read, kind, { expression, limit })
    for (const { key, value } of rows) if (!found.has(key)) found.set(key, { key, value, match })
    const available = [...found.keys()].filter((key) => key < FIRST_UNAVAILABLE)
    if (isWidest || available.length > kind.most) break
  }
  return [...found.values()]
}

function readFound(
  read: ReadRows,
  { range, mark }: Kind,
  { expression, limit }: { readonly expression: string | null; readonly limit: number },
): readonly FoundRow[] {
  if (expression === null) return []
  return read(
    `SELECT key, documents.words, value FROM word_index JOIN documents ON key = word_index.rowid
    WHERE word_index MATCH ? AND ${range} ORDER BY word_index.rowid LIMIT ?`,
    mark + expression,
    limit,
  )
}

/** How a document that matches has the words of a query: as it has the worst of them. */
function findMatch(words: readonly string[], text: string, matches: Kind['matches']): Match {
  const own = text.split(' ')
  const found = words.map((word): Match => {
    if (own.includes(word)) return 'whole'
    return own.some((one) => one.startsWith(word)) ? 'beginning' : 'part'
  })
  return matches.findLast((match) => found.includes(match)) ?? matches[0] ?? 'whole'
}

function rememberExpressions(read: ReadRows, words: readonly string[]): Query['express'] {
  const known = new Map<Match, string | null>()
  return (match) => {
    const expression = known.has(match) ? (known.get(match) ?? null) : formatExpression(read, words, match)
    known.set(match, expression)
    return expression
  }
}

function createAnswer(
  foundProducts: readonly MatchedRow[],
  foundSellers: readonly MatchedRow[],
): SearchAnswer {
  const products = foundProducts
    .map(({ match, value }): FoundProduct => ({ match, ...(JSON.parse(value) as ProductValue) }))
    .sort(compareProducts)
  const sellers = foundSellers
    .map(({ match, value }): FoundSeller => ({ match, ...(JSON.parse(value) as SellerValue) }))
    .sort(compareSellers)
  return {
    products: products.slice(0, MOST_FOUND.products),
    sellers: sellers.slice(0, MOST_FOUND.sellers),
    isMore: products.length > MOST_FOUND.products,
  }
}
