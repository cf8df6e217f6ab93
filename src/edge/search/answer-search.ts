/**
 * Answers `/buscar?q=…` with the built search page and the results of a search in the search files. A query may be any
 * text, and no part of it is logged.
 */
import { readMessage } from '../../domain/documents/errors.ts'
import { SEARCH_PATH } from '../../domain/documents/page-table.ts'
import type { AskedSearch, Search, SearchAnswer } from '../../domain/search/search-files.ts'
import { parseAsked } from '../../domain/search/search-files.ts'
import type { SearchNotice } from '../../site/markup/search-results.ts'
import { fillSearchPage } from '../../site/markup/search-results.ts'
import type { FetchFile, SearchShell } from './load-search.ts'

export interface SearchContext {
  /** Answers requests for files of the site. */
  readonly assets: { fetch(request: Request): Promise<Response> }
  /** Returns the search page without results; the answer to its address if the site has no such page. */
  readonly loadShell: (fetchFile: FetchFile) => Promise<SearchShell | Response>
  readonly loadSearch: (fetchFile: FetchFile) => Promise<Search>
  /** Returns whether the visitor with this network address may search now. */
  readonly isAllowed: (address: string) => Promise<boolean>
  readonly wait: (ms: number) => Promise<void>
  readonly log: (line: string) => void
}

/** How long reading the files may take, in ms. */
const PATIENCE = 5_000
/** In seconds. */
const RETRY_AFTER = '60'
/** `private`, because the address contains the visitor's search: no shared cache may store the page. */
const BRIEFLY = 'private, max-age=5'

const STATUS: Readonly<Record<SearchNotice, number>> = { busy: 429, failed: 503 }
/** Headers of the built page that do not hold for a page with results. */
const OF_FILE = ['etag', 'content-length', 'last-modified', 'cf-cache-status']

export function isSearch({ url }: Pick<Request, 'url'>): boolean {
  return new URL(url).pathname === SEARCH_PATH
}

export async function answerSearch(request: Request, context: SearchContext): Promise<Response> {
  const { method, url } = request
  if (method !== 'GET' && method !== 'HEAD')
    return new Response('', { status: 405, headers: { Allow: 'GET, HEAD', 'Cache-Control': 'no-store' } })
  const asked = parseAsked(new URL(url).search)
  if (asked.query === '') return context.assets.fetch(request)
  const fetchFile: FetchFile = (path) => context.assets.fetch(new Request(new URL(path, url)))
  const shell = await context.loadShell(fetchFile)
  if (shell instanceof Response) return shell
  const answer = await findAnswer(asked, request, { ...context, fetchFile })
  const status = typeof answer === 'string' ? STATUS[answer] : 200
  const headers = new Headers(shell.headers)
  for (const name of OF_FILE) headers.delete(name)
  headers.set('Cache-Control', status === 200 ? BRIEFLY : 'no-store')
  if (status !== 200) headers.set('Retry-After', RETRY_AFTER)
  const body = fillSearchPage(shell.html, asked, answer)
  return new Response(method === 'HEAD' ? null : body, { status, headers })
}

async function findAnswer(
  asked: AskedSearch,
  { headers }: Request,
  { loadSearch, isAllowed, wait, log, fetchFile }: SearchContext & { readonly fetchFile: FetchFile },
): Promise<SearchAnswer | SearchNotice> {
  const mayAsk = await isAllowed(headers.get('cf-connecting-ip') ?? '').catch(() => {
    log('search: the rate limit for searches failed, so this search is allowed')
    return true
  })
  if (!mayAsk) return 'busy'
  try {
    const search = await Promise.race([loadSearch(fetchFile), fail(wait)])
    return search(asked)
  } catch (error) {
    log(`search: ${readMessage(error)}`)
    return 'failed'
  }
}

async function fail(wait: SearchContext['wait']): Promise<never> {
  await wait(PATIENCE)
  throw new Error(`the search files were not read in ${PATIENCE / 1_000} s`)
}
