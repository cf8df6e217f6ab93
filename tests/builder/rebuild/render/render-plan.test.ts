/** Which pages of a plan are left to the render pool, and how many may fail. */
import { expect, it } from 'vitest'
import { isListKind } from '../../../../src/domain/documents/page-table.ts'
import { POOL_FROM } from '../../../../src/builder/rebuild/plan/plan-site.ts'
import { prepareRebuild } from '../../../../src/builder/rebuild/prepare-rebuild.ts'
import { createFailure, createPageRenderer } from '../../../../src/builder/rebuild/render/render-page.ts'
import { renderPlan } from '../../../../src/builder/rebuild/render/render-plan.ts'
import { createTimings } from '../../../../src/builder/rebuild/timings.ts'
import type { World } from '../../../../src/builder/rebuild/world.ts'
import { user } from '../../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createWorld, runInWorld } from '../../../support/rebuild/world.ts'

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
    preparation.plan.render.filter(({ kind }) => isListKind(kind) === is).map((page) => page.path),
  )
  expect(sitemap).toContain('sitemap.xml')
  expect(pooled.toSorted()).toEqual(others.toSorted())
})

it('reports 200,000 failures', async () => {
  const world = createWorld({ folder: path(), documents: [user('ana')] })
  const prepared = await prepareRebuild(world, createTimings(world.now))
  const kept = await prepared.code.openRenderer()
  const [step] = prepared.plan.render.filter(({ kind }) => kind === 'catalogue')
  if (step === undefined) throw new Error('no catalogue is planned')
  const reader = { ...step.reader, countProducts: () => 1 }
  const plan = {
    ...prepared.plan,
    render: Array.from({ length: 200_000 }, (_, index) => ({ ...step, path: `${index}.html`, reader })),
  }
  const openPool: World['renderers']['openPool'] = async () => ({
    render: async (pages) => pages.map((page) => createFailure(page, new Error('bad page'))),
    width: 1,
    close: async () => {},
  })
  const renderers = { ...world.renderers, openPool }
  const site = { ...world.state, generation: prepared.number }
  const { failures } = await renderPlan({ ...world, renderers }, site, { ...prepared, plan }, kept)
  expect(failures).toHaveLength(200_000)
  world.state.snapshot.close()
  world.state.record.close()
})
