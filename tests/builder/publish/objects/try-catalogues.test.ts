/** Code is tried on every seller before it is published: a few failures are reported, many are refused. */
import { expect, it } from 'vitest'
import type { Trial } from '../../../../src/builder/publish/objects/try-catalogues.ts'
import {
  checkTrial,
  formatTrial,
  tryCatalogues,
} from '../../../../src/builder/publish/objects/try-catalogues.ts'
import { rebuild } from '../../../../src/builder/rebuild/rebuild.ts'
import { product } from '../../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createWorld } from '../../../support/rebuild/world.ts'
import { createSite } from '../../../support/site.ts'

const path = useTemporaryFolder()

const SELLERS = Array.from({ length: 40 }, (_, index) => `s${index}`)

/** The pages of the first `count` sellers fail. */
async function tryWith(count: number): Promise<Trial> {
  const documents = SELLERS.map((seller) => product(`p-${seller}`, seller))
  const world = createWorld({ folder: path(), documents, lane: 'objects' })
  await rebuild(world)
  const data = { ...world.state, publicFiles: new Set<string>(), site: createSite() }
  const failing = new Set(SELLERS.slice(0, count))
  return tryCatalogues(
    data,
    {
      render: async (page) => {
        if (page.kind === 'catalogue' && failing.has(page.catalogue.seller)) throw new Error('no colour')
        return ['']
      },
    },
    () => {},
  )
}

it('names the sellers whose catalogue cannot be rendered', async () => {
  const trial = await tryWith(1)
  expect(trial).toEqual({ tried: 40, failed: [{ seller: 's0', reason: 'no colour' }] })
  expect(() => checkTrial(trial)).not.toThrow()
  expect(formatTrial(trial)).toEqual([
    '  The catalogue of s0 cannot be rendered: no colour. Visitors keep getting its stored page, if there is one',
  ])
  expect(formatTrial(await tryWith(0))).toEqual([])
})

it('refuses code with which too many fail', async () => {
  expect(() => checkTrial({ tried: 40, failed: [] })).not.toThrow()
  const trial = await tryWith(11)
  expect(() => checkTrial(trial)).toThrow('11 of 40 catalogues cannot be rendered with this code')
  expect(formatTrial(trial).at(-1)).toBe('  The same holds for 6 more catalogues')
})
