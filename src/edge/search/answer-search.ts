/**
 * Answers `/buscar?q=…` with a page. A query may be any text: only its words reach the index, and no part of it is
 * logged.
 */
import { NOT_AVAILABLE } from '../../domain/messages.ts'
import type { SearchPage } from '../../domain/pages/page.ts'
import type { AskedSearch } from '../../domain/search/asked-search.ts'
import { addDecants, keepOffered, parseAsked } from '../../domain/search/asked-search.ts'
import { NOTHING_FOUND } from '../../domain/search/search-answer.ts'
import { parseQuery } from '../../domain/search/words.ts'
import type { JoinedIndex } from './join-shards.ts'
import type { DatedAnswer, SearchCache } from './search-cache.ts'

export interface SearchContext {
  readonly index: Pick<JoinedIndex, 'search'>
  readonly cache: SearchCache
  readonly renderer: SearchRenderer
  /** Returns whether the visitor with this network address may search now. */
  readonly isAllowed: (address: string) => Promise<boolean>
  /** Max age of an answer, from the beginning of its search, in ms. */
  readonly maxAge: number
  /** Accepts work that may continue after the response is sent. */
  readonly later: (work: Promise<void>) => void
  /** Returns milliseconds. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly log: (line: string) => void
}

/** The part of the compiled renderer that the search uses. */
export interface SearchRenderer {
  /** The value of `Content-Security-Policy`. */
  readonly policy: string
  /** Names and values of the other headers, which every response has. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Rejects if the page cannot be rendered. */
  render(page: SearchPage): Promise<string>
}

const NOTHING_ASKED: SearchPage = {
  kind: 'search',
  query: '',
  decants: 'todos',
  answer: null,
  notice: 'none',
}

/** How long the index may take, in ms. */
const PATIENCE = 5_000
/** In seconds. */
const RETRY_AFTER = '60'

/** `Cache-Control` of responses that no cache may keep. */
const NOT_KEPT = 'no-store'

const STATUS: Readonly<Record<SearchPage['notice'], number>> = { none: 200, busy: 429, failed: 503 }

export async function answerSearch(request: Request, context: SearchContext): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return respond(request, context, { status: 405, body: '', headers: [['Allow', 'GET, HEAD']] })
  const { page, begun } = await createPage(parseAsked(new URL(request.url).searchParams), request, context)
  const status = STATUS[page.notice]
  try {
    const body = await context.renderer.render(page)
    const cacheControl = status === 200 ? formatCacheControl(begun, context) : NOT_KEPT
    return respond(request, context, { status, body, type: 'text/html; charset=utf-8', cacheControl })
  } catch {
    context.log('search: the page cannot be rendered')
    return respond(request, context, { status: 503, body: NOT_AVAILABLE })
  }
}

/**
 * Renders a page without results, so that the first visitor does not wait for code that runs for the first time. Never
 * rejects, because the first search meets and handles the same error.
 */
export async function warmUp(renderer: Pick<SearchRenderer, 'render'>): Promise<void> {
  parseQuery('eau de parfum')
  await renderer.render({ ...NOTHING_ASKED, answer: NOTHING_FOUND }).catch(() => {})
}

/** Returns the response of a Worker without a renderer. */
export function answerUnavailable(): Response {
  return new Response(NOT_AVAILABLE, { status: 503, headers: { 'Cache-Control': NOT_KEPT } })
}

interface DatedPage extends Pick<DatedAnswer, 'begun'> {
  readonly page: SearchPage
}

async function createPage(asked: AskedSearch, request: Request, context: SearchContext): Promise<DatedPage> {
  const page = { ...NOTHING_ASKED, ...asked }
  const begun = context.now()
  if (asked.query === '') return { begun, page }
  if (!(await isAllowed(request, context))) return { begun, page: { ...page, notice: 'busy' } }
  try {
    const found = await findAnswer(addDecants(asked), context)
    return { begun: found.begun, page: { ...page, answer: keepOffered(found.answer, asked.decants) } }
  } catch {
    context.log('search: the index does not answer')
    return { begun, page: { ...page, notice: 'failed' } }
  }
}

/** Returns whether the visitor may search now. Returns true if the rate limit itself fails. */
async function isAllowed({ headers }: Request, { isAllowed: ask, log }: SearchContext): Promise<boolean> {
  try {
    return await ask(headers.get('cf-connecting-ip') ?? '')
  } catch {
    log('search: the rate limit for searches failed, so this search is allowed')
    return true
  }
}

async function findAnswer(query: string, context: SearchContext): Promise<DatedAnswer> {
  const { index, cache, later, now, wait } = context
  const words = parseQuery(query)
  if (words.length === 0) return { begun: now(), answer: NOTHING_FOUND }
  const held = await cache.read(words)
  if (held !== null) return held
  const begun = now()
  const dated = { begun, answer: await Promise.race([index.search(query), fail(wait)]) }
  later(cache.keep(words, dated))
  return dated
}

async function fail(wait: SearchContext['wait']): Promise<never> {
  await wait(PATIENCE)
  throw new Error(`the index did not answer in ${PATIENCE / 1_000} s`)
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly type?: string
  readonly headers?: readonly [name: string, value: string][]
  /** Default: no cache may keep the response. */
  readonly cacheControl?: string
}

/** Returns the value of `Cache-Control` for a page whose search began at this time, in ms. */
function formatCacheControl(begun: number, { maxAge, now }: SearchContext): string {
  const left = Math.max(0, Math.floor((begun + maxAge - now()) / 1_000))
  // `private`, because the address contains the visitor's search: no shared cache may store it.
  return `private, max-age=${left}`
}

function respond(
  { method }: Request,
  { renderer }: SearchContext,
  { status, body, type = 'text/plain; charset=utf-8', headers = [], cacheControl = NOT_KEPT }: Answer,
): Response {
  const all = new Headers([
    ...renderer.headers.map(([name, value]): [string, string] => [name, value]),
    ['Content-Security-Policy', renderer.policy],
    ['Content-Type', type],
    ['Cache-Control', cacheControl],
    ...(status === 429 || status === 503 ? [['Retry-After', RETRY_AFTER] as [string, string]] : []),
    ...headers,
  ])
  return new Response(method === 'HEAD' ? null : body, { status, headers: all })
}
