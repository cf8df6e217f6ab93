/** The search of the sample with the page of the site under test, in place of the Worker. */
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { answerSearch } from '../../../src/edge/search/answer-search.ts'
import type { MemorySearch } from './search-assets.ts'
import { createAssets, createSearchWorld } from './search-assets.ts'

export interface ServedSearch {
  readonly world: MemorySearch
  /** The search page without a query. */
  readonly shell: string
  /** Answers the page's requests for `/buscar` from now on. Returns the queries so far. */
  readonly serve: (page: Page, answer?: Answer) => Promise<readonly string[]>
}

/** Returns `null` for no answer, as without a network. */
type Answer = (request: Request) => Promise<Response | null>

export async function openServedSearch(): Promise<ServedSearch> {
  const response = await fetch(`${inject('origin')}/buscar`)
  const shell = await response.text()
  const assets = createAssets(undefined, shell)
  const policy = response.headers.get('content-security-policy') ?? ''
  assets.headers.set('content-security-policy', policy)
  const world = createSearchWorld(assets)
  return {
    world,
    shell,
    serve: (page, answer = (request) => answerSearch(request, world)) => serve(page, answer),
  }
}

async function serve(page: Page, answer: Answer): Promise<readonly string[]> {
  const queries: string[] = []
  await page.route('**/buscar*', async (route) => {
    const url = route.request().url()
    queries.push(new URL(url).searchParams.get('q') ?? '')
    const response = await answer(new Request(url))
    if (response === null) return route.abort('internetdisconnected')
    const { status, headers } = response
    await route.fulfill({ status, headers: Object.fromEntries(headers), body: await response.text() })
  })
  return queries
}

const STYLE = 'https://translation.test/style.css'

/**
 * Adds a style sheet of another origin to the page, as a browser's translation does, and waits until it is loaded. The
 * page's scripts may not read its rules. The page must have been opened with `bypassCSP`.
 */
export async function addForeignStyle(page: Page): Promise<void> {
  await page.route(STYLE, (route) => route.fulfill({ contentType: 'text/css', body: '.x { color: red }' }))
  await page.evaluate(
    (href) =>
      new Promise((resolve) => {
        const link = document.createElement('link')
        Object.assign(link, { rel: 'stylesheet', href, onload: resolve })
        document.head.append(link)
      }),
    STYLE,
  )
}
