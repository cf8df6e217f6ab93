/** Renders the pages of a plan: in a pool of workers if there are many, and large pages in this process. */
import { formatCount, formatNumber } from '../../format-numbers.ts'
import type { KeptRenderer } from '../../renderer/compile.ts'
import type { Renderer } from '../../renderer/load-renderer.ts'
import { isListKind } from '../../../domain/documents/page-table.ts'
import { formatCatalogueFile } from '../../../domain/pages/paths.ts'
import type { RenderStep, SitePlan } from '../plan/plan-site.ts'
import { omitFromLists, POOL_FROM } from '../plan/plan-site.ts'
import type { RebuildPreparation } from '../prepare-rebuild.ts'
import type { PageFailure } from './render-page.ts'
import { createPageRenderer } from './render-page.ts'
import { tuneCompiler } from '../../renderer/fast/tune-compiler.ts'
import type { World } from '../world.ts'
import type { WrittenState } from '../write-pages.ts'
import { LARGE, removeRows, renderPages } from '../write-pages.ts'
import { isIntact } from '../check/check-files.ts'
import type { FileRow } from '../../state/record/record.ts'

interface RenderedPlan {
  /**
   * The plan that was carried out. Its lists omit sellers whose catalogue could not be rendered and has no earlier
   * version.
   */
  readonly plan: SitePlan
  readonly failures: readonly PageFailure[]
}

export async function renderPlan(
  { renderers, progress: tell }: World,
  site: WrittenState,
  { plan, planInput }: Pick<RebuildPreparation, 'plan' | 'planInput'>,
  kept: KeptRenderer,
): Promise<RenderedPlan> {
  const steps = plan.render
  if (steps.length === 0) return { plan, failures: [] }
  // Loads the renderer on demand, because loading takes a tenth of a second: with a pool, only large pages need the
  // renderer in this process.
  const renderer: Renderer = { render: async (page) => (await renderers.load(kept)).render(page) }
  const direct = createPageRenderer(renderer, site.generation)
  const {
    lists = [],
    large = [],
    others = [],
  } = Object.groupBy(steps, (page) => {
    if (isListKind(page.kind)) return 'lists'
    return page.reader.countProducts(page) > LARGE ? 'large' : 'others'
  })
  const total = formatCount(steps.length, 'page')
  const report = (done: number): void => tell(`Rendering: ${formatNumber(done)} of ${total}`)
  const pool = others.length < POOL_FROM ? null : await renderers.openPool(kept, site.generation)
  const endTuning = pool === null ? null : tuneCompiler(others.length)
  let failures: readonly PageFailure[] = []
  try {
    // Loaded before the first page, so that an error ends the run instead of being reported for each page.
    if ((pool === null && others.length > 0) || large.length > 0) await renderers.load(kept)
    const options = { renderer: pool ?? direct, width: pool?.width ?? 1, progress: report }
    failures = await renderPages(others, site, options)
  } finally {
    await pool?.close()
    endTuning?.()
  }
  // A large page may need more memory than a worker has, so large pages are rendered in this process, one at a time.
  const renderHere = (alone: readonly RenderStep[], before: number): Promise<readonly PageFailure[]> =>
    renderPages(alone, site, { renderer: direct, width: 1, progress: (done) => report(before + done) })
  failures = [...failures, ...(await renderHere(large, others.length))]
  settleFailed(failures, site)
  // Lists are rendered after the catalogues, because they have only catalogues that exist.
  const unseen = findUnseen(failures, site)
  const final = unseen.length === 0 ? plan : omitFromLists(plan, unseen, planInput)
  const listing = unseen.length === 0 ? lists : final.render.filter(({ kind }) => isListKind(kind))
  const unlisted = await renderHere(listing, others.length + large.length)
  return { plan: final, failures: [...failures, ...unlisted] }
}

/** Returns the sellers whose catalogue failed and has no earlier version. */
function findUnseen(failures: readonly PageFailure[], { record }: WrittenState): readonly string[] {
  return failures.flatMap(({ seller, path }) =>
    seller !== null && path === formatCatalogueFile(seller) && !record.hasFile(path) ? [seller] : [],
  )
}

/**
 * Settles the unsure rows of failed pages, because a publish is refused while a row is unsure. Must not be called for
 * lists of sellers: no seller waits for them, so only their unsure rows make the next run render them. Keeps a page only if its
 * file has the bytes in the record, and if its pictures are in place or in the picture store. Removes the other pages,
 * so that they are missing like pages that fail at their first rendering.
 */
function settleFailed(failures: readonly PageFailure[], site: WrittenState): void {
  const { record, output, pictures } = site
  const rows = failures.flatMap(({ path }): readonly FileRow[] => {
    const row = record.findDigest(path) === null ? record.findFile(path) : null
    return row === null ? [] : [row]
  })
  if (rows.length === 0) return
  const isShowable = (path: string): boolean =>
    record.findDigest(path) !== null || pictures.readFile(path) !== null
  const { kept = [], lost = [] } = Object.groupBy(rows, (row) =>
    isIntact(output, row) && record.readShown(row.path).every(isShowable) ? 'kept' : 'lost',
  )
  record.write(kept, [], new Map(kept.map(({ path }) => [path, record.readShown(path)])))
  removeRows(lost, site)
}
