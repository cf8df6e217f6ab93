/** How pages are rendered together: by their size, so that a large one depends on no other. */
import { expect, it } from 'vitest'
import type { RenderStep } from '../../../src/builder/rebuild/plan/plan-site.ts'
import type { PageRenderer } from '../../../src/builder/rebuild/render/render-page.ts'
import { createFailure } from '../../../src/builder/rebuild/render/render-page.ts'
import type { WrittenState } from '../../../src/builder/rebuild/write-pages.ts'
import { LARGE, renderPages } from '../../../src/builder/rebuild/write-pages.ts'

const NO_STATE = {
  record: { markUnsure: () => {}, write: () => {} },
  output: { place: () => {} },
} as unknown as WrittenState

/** Returns the numbers of products of the pages of each batch. */
async function readBatches(sizes: readonly number[]): Promise<readonly (readonly number[])[]> {
  const batches: number[][] = []
  const renderer: PageRenderer = {
    render: async (pages) => {
      batches.push(pages.map(({ path }) => Number(path.split('-')[1])))
      return pages.map((page) => createFailure(page, new Error('not rendered')))
    },
  }
  const steps = sizes.map(
    (size, index) =>
      ({
        path: `${index}-${size}`,
        seller: null,
        reader: { countProducts: () => size },
      }) as unknown as RenderStep,
  )
  const failures = await renderPages(steps, NO_STATE, { renderer, width: 2, progress: () => {} })
  expect(failures).toHaveLength(sizes.length)
  return batches
}

it('renders up to 16 small pages together', async () => {
  const batches = await readBatches(Array.from({ length: 40 }, () => 25))
  expect(batches.map((batch) => batch.length)).toEqual([16, 16, 8])
})

it.each([
  { pages: 15_000, together: 100 },
  { pages: 57_600, together: 192 },
])('renders $together small pages together in a run of $pages', async ({ pages, together }) => {
  const batches = await readBatches(Array.from({ length: pages }, () => 1))
  expect(new Set(batches.map((batch) => batch.length))).toEqual(new Set([together]))
  expect(batches).toHaveLength(pages / together)
})

it('renders together only as many products as a worker has memory for', async () => {
  expect(await readBatches([LARGE - 10, 10, 1, LARGE, 5, 5])).toEqual([
    [LARGE - 10, 10],
    [1],
    [LARGE],
    [5, 5],
  ])
})

it('renders a page of more products alone', async () => {
  expect(await readBatches([5, LARGE * 10, 5, 5])).toEqual([[5], [LARGE * 10], [5, 5]])
})
