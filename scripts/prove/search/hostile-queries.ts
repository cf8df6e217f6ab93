/**
 * Sends hostile queries to a search index, directly and through the Worker, and checks that each gets a valid answer
 * quickly.
 */
import { createSearchEntry } from '../../../src/domain/search/search-entry.ts'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { MOST_FOUND } from '../../../src/domain/search/search-answer.ts'
import type { SearchContext } from '../../../src/edge/search/answer-search.ts'
import { answerSearch } from '../../../src/edge/search/answer-search.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import type { Random } from '../../measure/random.ts'
import { createRandom } from '../../measure/random.ts'
import { Difference } from '../difference.ts'
import { formatCanonicalJson } from '../../../src/domain/documents/json.ts'
import { mapSwitches } from '../../../src/domain/documents/page-switches.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import type { CompiledRenderer } from '../../../src/edge/search/compiled-renderer.ts'
import { createIndex, putEntries } from './memory-index.ts'

interface HostileQueries {
  readonly queries: number
  readonly seed: number
  /** Max total time until the index and the Worker have answered a query, in milliseconds. */
  readonly limit: number
}

const LONG = 10_000
const SELLERS = 60
const PRODUCTS = 20
const WORDS = [
  'Ángel',
  'Eros',
  'Bleu',
  'Chanel',
  'EDP',
  '100 ml',
  'NEAR',
  'AND',
  'words',
  'Perfume',
  '香水',
  'ml',
] as const
/** Syntax of the search engine, of SQL, of addresses and of markup, and special characters. */
const SYNTAX: readonly string[] = [
  ' AND | OR | NOT |NEAR(|NEAR(a b, 3)|words:|{words} :|- words :|^eros|eros*|"eros|rowid|·|"|*|-|:|^|{|}|(|)|+|,',
  "'|--|/*|' OR 1=1|DROP TABLE words|INSERT INTO word_index(word_index) VALUES('delete-all')|;|%|_|\\|&|#|=|?|<b>",
  '\0|\u{FEFF}|\u{202E}|\u{D83D}|\u{DE00}|😀|e\u0301|ﬃ',
].flatMap((line) => line.split('|'))
/**
 * Parts of an address: invalid percent-encodings, encodings of special bytes, and characters with a special meaning.
 */
const BROKEN = [
  '%',
  '%f',
  '%zz',
  '%ff',
  '%c3%28',
  '%ed%a0%80',
  '%u0041',
  '%00',
  '+',
  '%2b',
  '%f0%9f',
  '%26',
  ';',
] as const

/**
 * Sends each query to the index, and the query or an address with broken encodings through the Worker. Returns the
 * longest total time of these two answers, in milliseconds. Throws a `Difference` if an answer is wrong, if the two
 * take longer than `limit`, or if anything is logged.
 */
export async function askHostileQueries({ queries, seed, limit }: HostileQueries): Promise<number> {
  const random = createRandom(seed)
  const index = await fill(createRandom(1))
  const lines: string[] = []
  const world = createWorld(index, lines)
  let slowest = 0
  for (let number = 0; number < queries; number += 1) {
    const query = createQuery(number, random)
    const start = performance.now()
    await ask(query, index)
    await knock(random.chance(0.3) ? createAddress(random) : encodeURIComponent(query.toWellFormed()), world)
    slowest = Math.max(slowest, performance.now() - start)
    const format = JSON.stringify(query).slice(0, 200)
    if (slowest > limit)
      throw new Difference(
        `the query ${format} took ${slowest.toFixed(0)} ms, but at most ${limit} ms are permitted`,
      )
    if (lines.length > 0)
      throw new Difference(
        `the search must not log anything, but for the query ${format} it logged: ${lines.join()}`,
      )
  }
  return slowest
}

async function ask(query: string, index: JoinedIndex): Promise<void> {
  const { products, sellers } = await index.search(query).catch((error: unknown) => {
    throw new Difference(
      `the query ${JSON.stringify(query).slice(0, 200)} was answered with an error: ${String(error)}`,
    )
  })
  if (products.length > MOST_FOUND.products || sellers.length > MOST_FOUND.sellers)
    throw new Difference(
      `the query ${JSON.stringify(query).slice(0, 200)} finds more results than a page shows`,
    )
}

async function knock(text: string, world: SearchContext): Promise<void> {
  const response = await answerSearch(new Request(`https://one.do/buscar?q=${text}`), world)
  const body = await response.text()
  if (response.status !== 200 || !body.startsWith('<!doctype html>'))
    throw new Difference(
      `/buscar?q=${text.slice(0, 200)} must be answered with status 200 and an HTML page, but was answered with status ${response.status} and the body ${body.slice(0, 200)}`,
    )
}

/**
 * Creates the query with this number. The first 256 queries are the characters U+0000 to U+00FF; the next 256 contain
 * the same characters within a word.
 */
function createQuery(number: number, random: Random): string {
  const byte = String.fromCharCode(number % 256)
  if (number < 256) return byte
  if (number < 512) return `eros${byte}bleu`
  const part = (): string =>
    random.chance(0.6) ? (SYNTAX[random.below(SYNTAX.length)] ?? '') : random.pick(WORDS)
  const kind = random.below(8)
  if (kind === 0) return part().repeat(LONG).slice(0, LONG)
  if (kind === 1) return join(1 + random.below(200), () => String.fromCharCode(random.below(0x10000)))
  if (kind === 2) return join(1 + random.below(30), () => String.fromCharCode(random.below(256)))
  return join(1 + random.below(12), part)
}

/** Creates the value of an address parameter with percent-encodings that may be invalid. */
function createAddress(random: Random): string {
  return join(1 + random.below(40), () =>
    random.chance(0.4)
      ? random.pick(BROKEN)
      : random.chance(0.5)
        ? `%${random.below(256).toString(16).padStart(2, '0')}`
        : random.pick(['eros', 'chnel', '"', '*', ':', '(', '{', '^']),
  )
}

function join(length: number, create: () => string): string {
  return Array.from({ length }, create).join('')
}

async function fill(random: Random): Promise<JoinedIndex> {
  const index = createIndex(2)
  const decant = { price: null, available: false }
  const createProduct = (id: string): Parameters<typeof createCatalogue>[2][number] => ({
    id,
    name: `${random.pick(WORDS)} ${random.pick(WORDS)} ${random.pick(WORDS)}`,
    photo: null,
    price: random.below(5_000),
    available: random.chance(0.8),
    _5ml: decant,
    _10ml: decant,
  })
  const entries = Array.from({ length: SELLERS }, (_, seller) => {
    const products = Array.from({ length: PRODUCTS }, (__, product) => createProduct(`p${seller}-${product}`))
    const profile = { fName: random.pick(WORDS), lName: 'Pérez', whatsapp: null }
    const catalogue = createCatalogue(`s${seller}`, profile, products)
    const entry = createSearchEntry({ catalogue, pictures: NO_PICTURES })
    return [`s${seller}`, entry] as const
  })
  await putEntries(index, entries)
  return index
}

/** Its markup consists of all data of the page. */
const RENDERER: CompiledRenderer = {
  code: 'a',
  site: { name: 'Vitrina', url: 'https://one.do', accessUrl: null, ...mapSwitches(() => true) },
  policy: "default-src 'self'",
  headers: [],
  render: async (page) => `<!doctype html><html><body>${formatCanonicalJson(page)}</body>`,
}

function createWorld(index: JoinedIndex, lines: string[]): SearchContext {
  return {
    index,
    cache: { read: async () => null, keep: async () => {} },
    renderer: RENDERER,
    isAllowed: async () => true,
    maxAge: 5_000,
    later: () => {},
    now: () => 0,
    wait: () => new Promise(() => {}),
    log: (line) => void lines.push(line),
  }
}
