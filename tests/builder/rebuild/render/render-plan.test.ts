/** Which pages of a plan are left to the render pool. */
import { expect, it } from 'vitest'
import { isSitemapKind } from '../../../../src/domain/documents/page-table.ts'
import { POOL_FROM } from '../../../../src/builder/rebuild/plan/plan-site.ts'
import { createPageRenderer } from '../../../../src/builder/rebuild/render/render-page.ts'
import { user } from '../../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { runInWorld } from '../../../support/rebuild/world.ts'

const path = useTemporaryFolder()

it('renders the files of the sitemap in this process, and leaves the other pages to the pool', async () => {
  const pooled: string[] = []
  const { preparation } = await runInWorld({
    folder: path(),
    documents: Array.from({ length: POOL_FROM }, (_, index) => user(`s${index}`)),
    wrap: (world) => {
      const openPool: typeof world.renderers.openPool = async (kept, generation) => {
        const { render } = createPageRenderer(await world.renderers.load(kept), generation)
        return {
          render: (pages) => {
            pooled.push(...pages.map((page) => page.path))
            return render(pages)
          },
          width: 1,
          close: async () => {},
        }
      }
      return { ...world, renderers: { ...world.renderers, openPool } }
    },
  })
  const [sitemap = [], others = []] = [true, false].map((is) =>
    preparation.plan.render.filter(({ kind }) => isSitemapKind(kind) === is).map((page) => page.path),
  )
  expect(sitemap).toContain('sitemap.xml')
  expect(pooled.toSorted()).toEqual(others.toSorted())
})
