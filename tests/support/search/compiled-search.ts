/** The search of the sample with the compiled renderer of the site under test, in place of the Worker. */
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { answerSearch } from '../../../src/edge/search/answer-search.ts'
import { createSampleIndex } from './sample-index.ts'
import { findSampleServer, renderPageText } from '../rebuild/sample-renderer.ts'
import type { MemorySearch } from './search-world.ts'
import { createSearchWorld } from './search-world.ts'
import { createSite } from '../site.ts'

export interface CompiledSearch {
  readonly world: MemorySearch
  readonly render: (page: ScreenPage) => Promise<string>
  /** Answers the page's requests for `/buscar` from now on. Returns the queries so far. */
  readonly serve: (page: Page, answer?: Answer) => Promise<readonly string[]>
}

/** Returns `null` for no answer, as without a network. */
type Answer = (request: Request) => Promise<Response | null>

export async function openCompiledSearch(): Promise<CompiledSearch> {
  const origin = inject('origin')
  const renderer = await loadRenderer(findSampleServer(), createSite({ url: origin }))
  const render = (page: ScreenPage): Promise<string> => renderPageText(renderer, page)
  const { headers } = await fetch(origin)
  const policy = headers.get('content-security-policy') ?? ''
  const world = createSearchWorld(await createSampleIndex(), { renderer: { policy, headers: [], render } })
  return {
    world,
    render,
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
