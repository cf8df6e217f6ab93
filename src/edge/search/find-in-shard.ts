/** Finds the documents of a query in the tables of a shard. */
import type { Match } from '../../domain/pages/found-products.ts'
import { MOST_FOUND } from '../../domain/search/search-answer.ts'
import type { FoundDocument, ShardAnswer } from '../../domain/search/search-index.ts'
import type { Express } from './expand-words.ts'
import { openExpressions } from './expand-words.ts'
import { cutDocuments, SPARE } from './merge-found.ts'
import { FIRST_UNAVAILABLE, SELLER_MARK } from './shard-documents.ts'
import type { ReadRows } from './shard-tables.ts'

/** What is looked for: a range of keys, and a word that only these documents have. */
interface Kind {
  readonly range: string
  readonly mark: string
  readonly most: number
  /** Best first. Each finds what the better ones find, too. */
  readonly matches: readonly Match[]
}

const PRODUCTS: Kind = {
  range: 'rowid >= 0',
  mark: '',
  most: MOST_FOUND.products,
  matches: ['whole', 'beginning', 'part'],
}
const SELLERS: Kind = {
  range: 'rowid < 0',
  mark: SELLER_MARK,
  most: MOST_FOUND.sellers,
  matches: ['whole', 'beginning'],
}

interface MatchedKey {
  readonly key: number
  readonly match: Match
}

interface DocumentRow {
  readonly key: number
  readonly words: string
  readonly value: string
}

interface Query {
  readonly read: ReadRows
  readonly words: readonly string[]
  readonly kind: Kind
  /** `null`: nothing matches in this way. */
  readonly express: Express
}

export function findInShard(read: ReadRows, words: readonly string[]): ShardAnswer {
  const open = (kind: Kind): Query => ({
    read,
    words,
    kind,
    express: openExpressions(read, words, kind.mark),
  })
  const [products, sellers] = [open(PRODUCTS), open(SELLERS)]
  const answer = { products: findDocuments(products), sellers: findDocuments(sellers) }
  if (answer.products.length + answer.sellers.length > 0) return answer
  return { products: findMisspelt(products), sellers: findMisspelt(sellers) }
}

/** For a query that finds nothing otherwise. */
function findMisspelt(query: Query): readonly FoundDocument[] {
  const { kind, express } = query
  const isTried = express('misspelt') === express(kind.matches.at(-1) ?? 'whole')
  return isTried ? [] : findDocuments({ ...query, kind: { ...kind, matches: ['misspelt'] } })
}

/**
 * Reads all that matches in any way; if that is too much, the best of each way. The second is exact too, but reads the
 * keys of the words up to three times, and that is slow for frequent words that few documents have together.
 */
function findDocuments(query: Query): readonly FoundDocument[] {
  const { read, words, kind, express } = query
  const limit = 2 * kind.most + SPARE
  const expression = express(kind.matches.at(-1) ?? 'whole')
  const keys = readKeys(read, kind, { expression, limit })
  if (keys.length === limit) {
    const best = cutDocuments(findByMatch(query, { expression, keys }), kind.most)
    const values = new Map(
      readDocuments(
        read,
        best.map(({ key }) => key),
      ).map(({ key, value }) => [key, value]),
    )
    return best.map(({ key, match }) => ({ key, match, value: values.get(key) ?? '' }))
  }
  const found = readDocuments(read, keys).map(({ key, value, words: own }) => ({
    key,
    match: findMatch(words, own, kind.matches),
    value,
  }))
  return cutDocuments(found, kind.most)
}

/** Available products come before all others, so it ends when there are enough of them. */
function findByMatch(
  { read, kind, express }: Query,
  widest: { readonly expression: string | null; readonly keys: readonly number[] },
): readonly MatchedKey[] {
  const found = new Map<number, MatchedKey>()
  for (const match of kind.matches) {
    const expression = express(match)
    const isWidest = expression === widest.expression
    const limit = kind.most + SPARE + found.size
    const keys =
      isWidest && limit <= widest.keys.length ? widest.keys : readKeys(read, kind, { expression, limit })
    for (const key of keys) if (!found.has(key)) found.set(key, { key, match })
    const available = [...found.keys()].filter((key) => key < FIRST_UNAVAILABLE)
    if (isWidest || available.length > kind.most) break
  }
  return [...found.values()]
}

function readKeys(
  read: ReadRows,
  { range, mark }: Kind,
  { expression, limit }: { readonly expression: string | null; readonly limit: number },
): readonly number[] {
  if (expression === null) return []
  // The index applies the upper end of a range to documents that match: without the mark, it would read all products.
  const marked = mark === '' ? expression : `"${mark}" AND ${expression}`
  return read<{ key: number }>(
    `SELECT rowid AS key FROM word_index WHERE word_index MATCH ? AND ${range} ORDER BY rowid LIMIT ?`,
    marked,
    limit,
  ).map(({ key }) => key)
}

function readDocuments(read: ReadRows, keys: readonly number[]): readonly DocumentRow[] {
  if (keys.length === 0) return []
  return read(
    'SELECT key, words, value FROM documents WHERE key IN (SELECT value FROM json_each(?))',
    JSON.stringify(keys),
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
