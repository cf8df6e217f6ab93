/** Renders the pages of the plan: many of them in a pool of workers, and large ones in this process. */
import { formatCount, formatNumber } from '../format-numbers.ts'
import type { KeptRenderer } from '../renderer/compile.ts'
import type { Renderer } from '../renderer/load-renderer.ts'
import type { SitePlan } from './plan-site.ts'
import { POOL_FROM } from './plan-site.ts'
import type { PageFailure } from './render-page.ts'
import { createPageRenderer } from './render-page.ts'
import { tuneCompiler } from './tune-compiler.ts'
import type { World } from './world.ts'
import type { SiteState } from './write-pages.ts'
import { LARGE, renderPages } from './write-pages.ts'

export async function renderPlan(
  { renderers, progress: tell }: World,
  site: SiteState,
  { render: steps }: SitePlan,
  kept: KeptRenderer,
): Promise<readonly PageFailure[]> {
  if (steps.length === 0) return []
  // Beside a pool only large pages need a renderer in this process, whose code takes a tenth of a second to load.
  const renderer: Renderer = { render: async (page) => (await renderers.load(kept)).render(page) }
  const direct = createPageRenderer(renderer, site.generation)
  const { large = [], others = [] } = Object.groupBy(steps, ({ page }) =>
    page.countProducts() > LARGE ? 'large' : 'others',
  )
  const total = formatCount(steps.length, 'page')
  const report = (done: number): void => tell(`Rendering: ${formatNumber(done)} of ${total}`)
  const pool = others.length < POOL_FROM ? null : await renderers.openPool(kept, site.generation, direct)
  const endTuning = pool === null ? null : tuneCompiler(others.length)
  const failures: PageFailure[] = []
  try {
    // Loaded before the first page, so that an error ends the run instead of being reported for each page.
    if (pool === null || large.length > 0) await renderers.load(kept)
    failures.push(
      ...(await renderPages(others, site, {
        renderer: pool ?? direct,
        width: pool?.width ?? 1,
        progress: report,
      })),
    )
  } finally {
    await pool?.close()
    endTuning?.()
  }
  // A large page needs more memory than a worker has, so it is rendered here, alone.
  const progress = (done: number): void => report(others.length + done)
  failures.push(...(await renderPages(large, site, { renderer: direct, width: 1, progress })))
  return failures
}
