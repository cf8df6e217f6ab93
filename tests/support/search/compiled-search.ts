/** The search of the sample with the compiled renderer of the site under test, in place of the Worker. */
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import { findRenderer } from '../../../src/builder/renderer/compile.ts'
import { readInputManifest } from '../../../src/builder/renderer/fingerprint.ts'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { hashManifest } from '../../../src/builder/state/manifest.ts'
import { STORE } from '../../../src/builder/state/project-folder.ts'
import { answerSearch } from '../../../src/edge/search/answer-search.ts'
import { createSampleIndex } from './sample-index.ts'
import { ROOT } from '../rebuild/rebuild.ts'
import type { MemorySearch } from './search-world.ts'
import { createSearchWorld } from './search-world.ts'

export interface CompiledSearch {
  readonly world: MemorySearch
  readonly render: (page: ScreenPage) => Promise<string>
  /** Answers the page's requests for `/buscar` from now on. Returns the queries so far. */
  readonly serve: (page: Page, answer?: Answer) => Promise<readonly string[]>
}

/** Returns `null` for no answer, as without a network. */
type Answer = (request: Request) => Promise<Response | null>

export async function openCompiledSearch(): Promise<CompiledSearch> {
  process.env['NODE_ENV'] = 'production'
  const kept = findRenderer(STORE, hashManifest(readInputManifest(ROOT)))
  if (kept === null) throw new Error('the site under test was built from other code')
  const origin = inject('origin')
  const renderer = await loadRenderer(kept.server, {
    name: 'Vitrina',
    url: origin,
    accessUrl: null,
    productPages: true,
  })
  const render = async (page: ScreenPage): Promise<string> => (await renderer.render(page)).join('')
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
